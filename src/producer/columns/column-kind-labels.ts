import type { UnusedColumn } from './unused-columns.ts';

/** The looks of a column's first rows, as people call them. */
export const columnKindLabels: Readonly<Record<UnusedColumn['looksLike'], string>> = {
  web_address: 'web addresses',
  page: 'pages on hosts that many share, or files',
  email_address: 'e-mail addresses',
  advertiser_id: 'ids of advertisers',
  phone_number: 'phone numbers',
  date: 'dates',
  number: 'numbers',
  text: 'text',
  person: 'names of persons',
  mixed: 'values of several kinds',
  empty: 'nothing',
};
