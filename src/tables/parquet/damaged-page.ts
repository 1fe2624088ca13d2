/** Reason to reject a Parquet file, found before the library decodes it. */
export class DamagedPage extends Error {}
