/** Lines that a workbook (XLSX) holds at most, without its header. Our choice, because it is built in memory. */
export const workbookLinesMax = 50_000;
