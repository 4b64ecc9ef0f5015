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
# What is asked, beside what the name says.
CASES = {
    "starter": ["starter"],
    "quotes and stock": ["starter", "--prices", "quotes.toml", "--set", "inventory.dgx-h100=12",
                         "--set", "inventory.n9600-64od=1", "--set", "pricing.discounts.optic=0.15"],
    "spares": ["llama3-405b-h100-16384", "--set", "spares.lead_days=60"],
    "modules and cables": ["starter", "--set", 'cluster.links="parts"'],
    "no price": ["starter", "--set", "cluster.prices=rail-only-2023"],
    "discounted money": ["starter", "--set", "objective.discount=0.08"],
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


def by_formulas(path, folder):
    """Total by cell, as the package `formulas` (vinci1it2000) computes it."""
    found = formulas.ExcelModel().loads(str(path)).finish().calculate()
    cells = {}
    for name, ranges in found.items():
        text = str(name).upper()
        for cell in SUMS:
            if text.endswith(f"TOTAL'!{cell}"):
                cells[cell] = float(ranges.value[0, 0])
    return cells


def by_office(path, folder):
    """Total by cell, as LibreOffice computes it."""
    subprocess.run(["soffice", "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir",
                    str(folder / "office"), str(path)], check=True, capture_output=True)
    sheet = openpyxl.load_workbook(folder / "office" / path.name, data_only=True)["Total"]
    return {cell: float(sheet[cell].value) for cell in SUMS}


def main(planner):
    planner = str(pathlib.Path(planner).resolve())
    readers = [by_formulas] + ([by_office] if shutil.which("soffice") else [])
    wrong = 0
    for name, asked in CASES.items():
        folder = pathlib.Path(tempfile.mkdtemp())
        (folder / "quotes.toml").write_text(QUOTES)

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
            for cell, keys in SUMS.items():
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
