import assert from 'node:assert/strict';

/** Offsets within the records of a ZIP archive (PKWARE APPNOTE 6.3, §4.3). */
const endRecord = { signature: 0x06054b50, bytes: 22, entries: 10, directory: 16 };
const entryRecord = {
  signature: 0x02014b50,
  bytes: 46,
  time: 12,
  name: 28,
  extra: 30,
  comment: 32,
  file: 42,
};
const fileRecord = { signature: 0x04034b50, time: 10 };

/** 1980-01-01 00:00, the earliest time in ZIP: two bytes of time, two of date. */
const firstTime = 0x0021_0000;

/** Sets the time of every file in a ZIP archive to the earliest one, in place, so that the same files give the same bytes. */
export function withoutTimes(archive: Uint8Array): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.byteLength - endRecord.bytes;
  expectRecord(view, end, endRecord.signature);
  let entry = view.getUint32(end + endRecord.directory, true);
  for (let left = view.getUint16(end + endRecord.entries, true); left > 0; left -= 1) {
    expectRecord(view, entry, entryRecord.signature);
    const file = view.getUint32(entry + entryRecord.file, true);
    expectRecord(view, file, fileRecord.signature);
    view.setUint32(entry + entryRecord.time, firstTime, true);
    view.setUint32(file + fileRecord.time, firstTime, true);
    const { name, extra, comment } = entryRecord;
    entry += entryRecord.bytes + sumOf([name, extra, comment].map((at) => view.getUint16(entry + at, true)));
  }
  return archive;
}

function expectRecord(view: DataView, at: number, signature: number): void {
  assert.equal(view.getUint32(at, true), signature, 'a ZIP archive without a comment');
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
