/** Maximum number of lines of a workbook (XLSX), without its header. Our choice, because it is built in memory. */
export const workbookLinesMax = 50_000;
