"""Imports what `planner cables --format netbox` writes into NetBox itself, through its own import views.

    git clone --depth 1 --branch v4.6.8 https://github.com/netbox-community/netbox
    pip install -r netbox/requirements.txt
    createdb planner_netbox
    python tests/netbox/accept.py target/release/planner netbox/netbox > tests/netbox/accepted.txt

Needs a PostgreSQL server (PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE say where) and Python 3.12 or newer.
No code of NetBox is kept here. Its settings are its own but for the cache, which is in memory instead of
Redis; no job is queued, so that no Redis is asked. Each file is posted to the view of its kind, as a
person would do, in the order of the files' names; then the objects are read back from the database.
"""

import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import types

SPEC = pathlib.Path(__file__).with_name("spec.toml")
# Where each file goes.
VIEWS = {
    "1-sites": "/dcim/sites/import/",
    "2-manufacturers": "/dcim/manufacturers/import/",
    "3-device-roles": "/dcim/device-roles/import/",
    "4-device-type": "/dcim/device-types/import/",
    "5-racks": "/dcim/racks/import/",
    "6-devices": "/dcim/devices/import/",
    "7-cables": "/dcim/cables/import/",
}
CONFIGURATION = """
import os
ALLOWED_HOSTS = ["*"]
SECRET_KEY = "s" * 60
API_TOKEN_PEPPERS = {1: "p" * 60}
DATABASES = {"default": {
    "ENGINE": "django.db.backends.postgresql",
    "NAME": os.environ.get("PGDATABASE", "planner_netbox"),
    "USER": os.environ.get("PGUSER", ""),
    "PASSWORD": os.environ.get("PGPASSWORD", ""),
    "HOST": os.environ.get("PGHOST", ""),
    "PORT": os.environ.get("PGPORT", ""),
}}
REDIS = {"tasks": {"HOST": "localhost"}, "caching": {"HOST": "localhost"}}
"""
SETTINGS = """
from netbox.settings import *
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
"""


def started(checkout, folder):
    """Brings the application up on its database."""
    (folder / "planner_netbox_configuration.py").write_text(CONFIGURATION)
    (folder / "planner_netbox_settings.py").write_text(SETTINGS)
    sys.path[:0] = [str(checkout), str(folder)]
    os.chdir(checkout)
    os.environ["NETBOX_CONFIGURATION"] = "planner_netbox_configuration"
    os.environ["DJANGO_SETTINGS_MODULE"] = "planner_netbox_settings"
    if not (checkout / "extras/data/un_locode.py").exists():
        # A table of places of the world, which some copies leave out; nothing here reads it.
        module = types.ModuleType("extras.data.un_locode")
        module.UN_LOCODE = ()
        sys.modules["extras.data.un_locode"] = module
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    from django.conf import settings

    print(f"NetBox {settings.RELEASE.version}, Django {django.get_version()}")


def posted(client, name, text):
    """Posts a file to the view of its kind; what the application says against it ends the run."""
    view = next(view for start, view in VIEWS.items() if name.startswith(start))
    kind = "yaml" if name.endswith(".yaml") else "csv"
    # `import_method` says that the data stand in the form itself.
    data = {"import_method": "direct", "data": text, "format": kind, "csv_delimiter": ","}
    if kind == "csv":
        from netbox.choices import CSVDelimiterChoices

        data["csv_delimiter"] = CSVDelimiterChoices.COMMA
    response = client.post(view, data)
    if response.status_code != 302:
        form = (response.context or {}).get("form")
        sys.exit(f"{name}: {response.status_code} {form.errors if form is not None else response}")


def main(planner, checkout):
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        run = [planner, "cables", str(SPEC), "--format", "netbox", "-o", str(folder)]
        subprocess.run(run, check=True)
        files = {path.name: path.read_text() for path in sorted(folder.iterdir())}
        started(checkout, folder)
        from django.db import transaction
        from django.test import Client
        from users.models import User

        # Nothing stays in the database.
        with transaction.atomic():
            user = User.objects.create_superuser("planner", password="planner")
            client = Client()
            client.force_login(user)
            for name, text in files.items():
                posted(client, name, text)
                if name.endswith(".csv"):
                    rows = list(csv.DictReader(io.StringIO(text)))
                    print(f"{name}: {len(rows)} rows accepted")
                    print(f"  columns {','.join(rows[0])}")
                else:
                    print(f"{name}: accepted")
            checked(files)
            transaction.set_rollback(True)


def checked(files):
    """Holds what the database has against what was written."""
    from dcim.models import Cable, Device, DeviceType, Interface, Rack

    rows = list(csv.DictReader(io.StringIO(files["7-cables.csv"])))
    written = {
        frozenset([(row["side_a_device"], row["side_a_name"]), (row["side_b_device"], row["side_b_name"])]):
            (row["type"], row["label"], row["color"], float(row["length"]), row["length_unit"])
        for row in rows
    }
    kept = {}
    for cable in Cable.objects.prefetch_related("terminations"):
        ends = [(of.device.name, of.name) for of in cable.a_terminations + cable.b_terminations]
        kept[frozenset(ends)] = (
            cable.type, cable.label, cable.color, float(cable.length), cable.length_unit,
        )
    assert kept == written, "cables of the database are not those of the file"
    print(f"database: {DeviceType.objects.count()} device types, {Rack.objects.count()} racks, "
          f"{Device.objects.count()} devices, {Interface.objects.count()} interfaces, "
          f"{len(kept)} cables with ends, type, label, colour and length as written")
    joined = Interface.objects.filter(cable__isnull=False)
    far = sum(1 for of in joined[:200] if of.link_peers)
    print(f"database: {joined.count()} interfaces with a cable; of 200 followed, {far} reach a peer")
    for column in ["side_a_type", "type", "status", "color", "length_unit"]:
        print(f"cables.{column}: {' '.join(sorted({row[column] for row in rows if row[column]}))}")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve())
