"""Makes the files of this folder, with pyarrow 25 and openpyxl 3.1; `soffice --convert-to` makes those of LibreOffice from `openpyxl.xlsx`."""

import datetime
import decimal

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

table = pa.table(
    {
        "text": ["a", None, "é"],
        "int64": pa.array([2**62 + 1, None, -5], pa.int64()),
        "uint64": pa.array([2**64 - 1, 0, 1], pa.uint64()),
        "decimal38": pa.array([decimal.Decimal("1.10"), decimal.Decimal("-123456789012345678901234.56"), None], pa.decimal128(38, 2)),
        "decimal9": pa.array([decimal.Decimal("1.10"), decimal.Decimal("-0.05"), None], pa.decimal128(9, 2)),
        "date": pa.array([datetime.date(2026, 11, 25), None, datetime.date(1931, 1, 1)]),
        "timestamp": pa.array([datetime.datetime(2026, 11, 25, 14, 30, 0, 123456), None, datetime.datetime(1960, 1, 1)], pa.timestamp("us")),
        "utc": pa.array([1, None, 10**9 * 86400 + 5], pa.timestamp("ns", "UTC")),
        "time": pa.array([datetime.time(1, 2, 3), None, datetime.time(1, 2, 3, 500000)], pa.time64("us")),
        "float32": pa.array([0.1, float("nan"), 1e22], pa.float32()),
        "float64": [0.1, None, 123.0],
        "bool": [True, False, None],
        "list": [[1, 2], None, []],
        "struct": [{"x": 1, "y": "q"}, None, {"x": None, "y": ""}],
        "binary": pa.array([b"\xff\x00", b"abc", None]),
        "map": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int32())),
        "dictionary": pa.array(["x", "y", "x"]).dictionary_encode(),
        "float16": pa.array([1.5, None, 2], pa.float16()),
    }
)
pq.write_table(table, "pyarrow-zstd.parquet", compression="zstd")
pq.write_table(table, "pyarrow-v2.parquet", data_page_version="2.0", use_dictionary=False, store_decimal_as_integer=True)
texts = [f"company {i}.example.com" for i in range(500)]
delta = pa.table({"text": texts + [None], "length": texts + [None], "int": [i * i for i in range(500)] + [None]})
for version in ["1.0", "2.0"]:
    pq.write_table(
        delta,
        f"pyarrow-delta-{version[0]}.parquet",
        data_page_version=version,
        use_dictionary=False,
        column_encoding={"text": "DELTA_BYTE_ARRAY", "length": "DELTA_LENGTH_BYTE_ARRAY", "int": "DELTA_BINARY_PACKED"},
    )

workbook = openpyxl.Workbook()
sheet = workbook.active
sheet.title = "Leads"
sheet.append(["Exported by a tool"])
sheet.append([])
sheet.append(["Company", "Domain", "Since", "Employees", "Share", "Postcode", "Visit", "Active", "Sum", "Time"])
sheet.append(['Nike "Air" Inc', "nike.com", datetime.date(2026, 11, 25), 1.23, 0.5, 1234, datetime.datetime(2026, 11, 25, 14, 30), True, "=1+2", datetime.time(14, 30)])
sheet["F4"].number_format = "00000"
sheet["E4"].number_format = "0%"
sheet.append(["Ümläut & <x>", "b.de", datetime.date(1950, 1, 1), 12345678901234, 0.1 + 0.2, None, None, False, "#N/A", None])
sheet.append(["two\nlines", None, None, None, None, None, None, None, "x", datetime.timedelta(hours=30)])
sheet.row_dimensions[5].hidden = True
hidden = workbook.create_sheet("Hidden")
hidden["A1"] = "x"
hidden.sheet_state = "hidden"
workbook.save("openpyxl.xlsx")
