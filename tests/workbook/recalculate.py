"""Recalculates workbooks of `planner bill` with software that others wrote, and holds the sums against
the JSON of the same bill.

    pip install openpyxl formulas
    python tests/workbook/recalculate.py target/release/planner

The values that the workbook carries are thrown away first, so that every number is the formula's. Where
LibreOffice (`soffice`) is on the path it recalculates too.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import formulas
import openpyxl

QUOTES = """name = "quotes"
date = "2026-09"
source = "three offers"
[rates]
EUR = { usd = 1.16, date = "2026-09-15" }
[[price]]
item = "n9600-64od"
price = "EUR 33,894"
[[price]]
item = "sr4-200g"
price = "EUR 205.50"
low = "EUR 180"
high = "EUR 260"
"""
TIERS = """name = "tiers"
[[price]]
item = "sr4-200g"
price = "$239"
tiers = [{ from = 100, price = "$219" }, { from = 1000, price = "$199.50" }]
lead_days = 120
valid_until = "2026-12-15"
"""
# What is asked, beside what the name says.
CASES = {
    "starter": ["starter"],
    "quotes and stock": ["starter", "--prices", "quotes.toml", "--set", "inventory.dgx-h100=12",
                         "--set", "inventory.n9600-64od=1", "--set", "pricing.discounts.optic=0.15"],
    "spares": ["llama3-405b-h100-16384", "--set", "spares.lead_days=60"],
    "modules and cables": ["starter", "--set", 'cluster.links="parts"'],
    "no price": ["starter", "--set", "cluster.prices=rail-only-2023"],
    "discounted money": ["starter", "--set", "objective.discount=0.08"],
    "networks and work": ["starter", "--prices", "quotes.toml",
                          "--set", "networks.storage.ports_per_node=2", "--set", "networks.in_band.uplinks=4",
                          "--set", "networks.out_of_band.uplinks=2", "--set", "networks.control.servers=4",
                          "--set", "installation.hours_per_cable=0.25", "--set", "installation.hours_per_rack=12",
                          "--set", "prices.labour=$95", "--set", "prices.link-cable=$60"],
    "tiers": ["starter", "--prices", "tiers.toml"],
    "parts": ["two-products"],
    "stages": ["two-stages"],
}
# Cells of the sheet of sums, and where the JSON has them.
SUMS = {
    "B3": ("machines_capex_usd",),
    "B4": ("cost", "network_capex_usd"),
    "B5": ("cost", "capex_usd"),
    "B6": ("spares_usd",),
    "B9": ("cost", "network_power_w"),
    "B10": ("cost", "power_w"),
    "B15": ("cost", "opex_usd_per_year"),
    "B17": ("cost", "tco_usd"),
}
# Likewise where the spec asks for other networks or installation.
GRAND = {
    "B23": ("cost", "networks_capex_usd"),
    "B24": ("cost", "installation_usd"),
    "B25": ("cost", "total_capex_usd"),
    "B26": ("cost", "total_power_w"),
    "B28": ("cost", "total_tco_usd"),
}


def number(value):
    """A cell as a number; None where it is empty or a text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def by_formulas(path, folder):
    """Total by cell, as the package `formulas` (vinci1it2000) computes it."""
    found = formulas.ExcelModel().loads(str(path)).finish().calculate()
    cells = {}
    for name, ranges in found.items():
        text = str(name).upper()
        for cell in SUMS | GRAND:
            if text.endswith(f"TOTAL'!{cell}"):
                cells[cell] = number(ranges.value[0, 0])
    return cells


def by_office(path, folder):
    """Total by cell, as LibreOffice computes it."""
    subprocess.run(["soffice", "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir",
                    str(folder / "office"), str(path)], check=True, capture_output=True)
    sheet = openpyxl.load_workbook(folder / "office" / path.name, data_only=True)["Total"]
    return {cell: number(sheet[cell].value) for cell in SUMS | GRAND}


def main(planner):
    planner = str(pathlib.Path(planner).resolve())
    readers = [by_formulas] + ([by_office] if shutil.which("soffice") else [])
    wrong = 0
    for name, asked in CASES.items():
        folder = pathlib.Path(tempfile.mkdtemp())
        (folder / "quotes.toml").write_text(QUOTES)
        (folder / "tiers.toml").write_text(TIERS)

        def bill(form, file):
            run = [planner, "bill", *asked, "--format", form, "-o", file]
            subprocess.run(run, cwd=folder, check=True)

        bill("json", "bill.json")
        bill("xlsx", "bill.xlsx")
        told = json.loads((folder / "bill.json").read_text())
        book = openpyxl.load_workbook(folder / "bill.xlsx")
        counted = sum(
            1 for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"
        )
        # openpyxl writes formulas without their values.
        bare = folder / "bare.xlsx"
        book.save(bare)
        for reader in readers:
            found = reader(bare, folder)
            grand = GRAND if told["cost"]["total_capex_usd"] is not None else {}
            for cell, keys in (SUMS | grand).items():
                expected = told
                for key in keys:
                    expected = expected[key]
                if abs(found[cell] - expected) > 1e-9 * max(1.0, abs(expected)):
                    print(f"{name}: {reader.__name__} {cell} {found[cell]} is not {expected}")
                    wrong += 1
            print(f"{name}: {reader.__name__}, {counted} formulas, {len(told['bom'])} lines, "
                  f"capex {found['B5']:,.2f}, TCO {found['B17']:,.2f}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1])
