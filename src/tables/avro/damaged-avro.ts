/** Reason to reject an Avro file. */
export class DamagedAvro extends Error {}
