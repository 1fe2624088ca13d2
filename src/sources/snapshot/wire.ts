import type { SnapshotRow } from '../../core/sources/snapshot-store.ts';
import { ValidationError } from '../../core/errors.ts';
import { placesOf } from './columns.ts';
import { parseDetails, parseDisapprovals, type ReadColumn } from './details.ts';
import { isFields, mistyped, parseShown, parseText, shown } from './fields.ts';
import { parseRegions } from './regions.ts';

const advertiserId = { field: 'advertiser_id', form: /^AR\d{20}$/, words: 'AR and 20 digits' } as const;
const creativeId = { field: 'creative_id', form: /^CR\d{20}$/, words: 'CR and 20 digits' } as const;
const formats = new Map([
  ['TEXT', 'Text'],
  ['IMAGE', 'Image'],
  ['VIDEO', 'Video'],
]);

/**
 * Parses one exported row in JSON: with nested columns, also as JSON in a text, or with the days of the flat form. A row with the column
 * `disapproval` is a removed ad; if it has no ids, they are those of its page.
 *
 * Every other column except the two ids may be missing or null. Numbers may be strings, as the export writes them.
 *
 * @throws ValidationError that names the field, for a missing or malformed id, a field of another type, or a day that does not
 * exist. The caller adds file and line.
 */
export function parseSnapshotRow(value: unknown): SnapshotRow {
  if (!isFields(value)) throw new ValidationError('row: expected an object');
  return toRow((column) => value[column]);
}

/**
 * Parses one line of the flat CSV form. `header` must be the same array for every line of a file, because the positions of its
 * columns are cached per array.
 *
 * @throws ValidationError as `parseSnapshotRow` does.
 */
export function parseSnapshotCells(header: readonly string[], cells: readonly string[]): SnapshotRow {
  const places = placesOf(header);
  return toRow((column) => {
    const place = places.get(column);
    return place === undefined ? undefined : cells[place];
  });
}

function toRow(read: ReadColumn): SnapshotRow {
  const shownRegions = parseRegions(read('region_stats'));
  const disclosedName = parseText(read('advertiser_disclosed_name'), 'advertiser_disclosed_name');
  const legalName = parseText(read('advertiser_legal_name'), 'advertiser_legal_name');
  const location = parseText(read('advertiser_location'), 'advertiser_location');
  const format = parseText(read('ad_format_type'), 'ad_format_type');
  const disapprovals = parseDisapprovals(read);
  const ids = parseIds(read, disapprovals !== null);
  return {
    advertiserId: ids.advertiserId,
    creativeId: ids.creativeId,
    advertiserName: disclosedName ?? legalName,
    disclosedName,
    legalName,
    location,
    format: format === null ? null : (formats.get(format.toUpperCase()) ?? format),
    // Days of the flat form if present, else those of all regions.
    start: parseShown(read('first_shown'), 'first_shown') ?? shownRegions.start,
    lastSeen: parseShown(read('last_shown'), 'last_shown') ?? shownRegions.lastSeen,
    details: parseDetails(read, { legalName, location, regions: shownRegions.regions }),
    disapprovals,
  };
}

function parseIds(read: ReadColumn, isRemoved: boolean): Pick<SnapshotRow, 'advertiserId' | 'creativeId'> {
  const ids = [read('advertiser_id'), read('creative_id')] as const;
  if (isRemoved && ids.every((id) => id === undefined || id === null || id === ''))
    return parsePage(read('creative_page_url'));
  return { advertiserId: parseId(ids[0], advertiserId), creativeId: parseId(ids[1], creativeId) };
}

const adPage = /\/advertiser\/(?<advertiserId>AR\d{20})\/creative\/(?<creativeId>CR\d{20})(?!\w)/;

/** Ids in the address of an ad's page. */
function parsePage(value: unknown): Pick<SnapshotRow, 'advertiserId' | 'creativeId'> {
  const { advertiserId: advertiser, creativeId: creative } =
    (typeof value === 'string' ? adPage.exec(value)?.groups : undefined) ?? {};
  if (advertiser !== undefined && creative !== undefined)
    return { advertiserId: advertiser, creativeId: creative };
  const got = value === undefined || value === null || value === '' ? 'nothing' : shown(value);
  throw mistyped('creative_page_url', `the page of an ad, …/advertiser/AR…/creative/CR…, got ${got}`);
}

function parseId(value: unknown, id: typeof advertiserId | typeof creativeId): string {
  if (typeof value === 'string' && id.form.test(value)) return value;
  if (value === undefined || value === null || value === '')
    throw mistyped(id.field, `${id.words}, got nothing`);
  throw mistyped(id.field, `${id.words}, got ${shown(value)}`);
}
