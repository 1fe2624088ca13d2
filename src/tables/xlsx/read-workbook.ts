import { posix } from 'node:path';
import { readXml } from '../xml/read-xml.ts';
import type { SheetInfo } from '../records/table.ts';
import type { ZipArchive, ZipEntry } from '../zip/open-zip.ts';

/** Sheet of a workbook, with the part that holds its cells. */
export interface WorkbookSheet extends SheetInfo {
  readonly entry: ZipEntry;
}

/** Contents of a workbook that its sheets need. */
export interface Workbook {
  /** Sheets with cells, in order. Charts and sheets whose part is missing are left out. */
  readonly sheets: readonly WorkbookSheet[];
  /** True when days are counted from 1904. */
  readonly isFrom1904: boolean;
  readonly sharedStrings: ZipEntry | undefined;
  readonly styles: ZipEntry | undefined;
}

/** Size of a part that lists other parts. A workbook of 10,000 sheets has 2 MiB. */
export const listPartBytesMax = 16 * 1024 * 1024;

interface Relationship {
  /** Last part of the type, such as `worksheet`, which is the same in the strict form. */
  readonly kind: string;
  readonly target: string;
}

/** Returns the main part of an OOXML document, by its relationships, or else by its usual name; undefined for any other archive. */
export async function findMainPart(zip: ZipArchive): Promise<ZipEntry | undefined> {
  const root = await readRelationships(zip, '');
  const main = [...root.values()].find(({ kind }) => kind === 'officeDocument');
  return (main === undefined ? undefined : zip.find(main.target)) ?? zip.find('xl/workbook.xml');
}

/** Reads the sheets of a workbook and the names of its parts. @throws XmlError */
export async function readWorkbook(zip: ZipArchive, main: ZipEntry): Promise<Workbook> {
  const parts = await readRelationships(zip, main.name);
  const sheets: WorkbookSheet[] = [];
  let isFrom1904 = false;
  await readXml(zip.read(main, listPartBytesMax), {
    onOpen(name, tag) {
      if (name === 'workbookPr') isFrom1904 = isTrue(tag.attribute('date1904'));
      if (name !== 'sheet') return;
      const part = parts.get(tag.attribute('id') ?? '');
      const entry = part === undefined || part.kind !== 'worksheet' ? undefined : zip.find(part.target);
      const state = tag.attribute('state') ?? 'visible';
      if (entry !== undefined)
        sheets.push({ name: tag.attribute('name') ?? '', isHidden: state !== 'visible', entry });
    },
    onClose() {},
    onText() {},
  });
  const partOf = (kind: string) => {
    const part = [...parts.values()].find((each) => each.kind === kind);
    return part === undefined ? undefined : zip.find(part.target);
  };
  return { sheets, isFrom1904, sharedStrings: partOf('sharedStrings'), styles: partOf('styles') };
}

/** Parses a Boolean attribute of OOXML. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

/** Reads the relationships of a part, by their ids. Targets are names within the archive. */
async function readRelationships(zip: ZipArchive, part: string): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(`/${part}`);
  const entry = zip.find(posix.join(folder, '_rels', `${posix.basename(part)}.rels`).slice(1));
  const found = new Map<string, Relationship>();
  if (entry === undefined) return found;
  await readXml(zip.read(entry, listPartBytesMax), {
    onOpen(name, tag) {
      if (name !== 'Relationship' || tag.attribute('TargetMode') === 'External') return;
      const target = posix.resolve(folder, tag.attribute('Target') ?? '').slice(1);
      found.set(tag.attribute('Id') ?? '', { kind: posix.basename(tag.attribute('Type') ?? ''), target });
    },
    onClose() {},
    onText() {},
  });
  return found;
}
