import {
  Conflict,
  NotFound,
  StorageRejected,
  StorageUnavailable,
  type EnrichError,
} from '../../core/errors.ts';
import type { S3Error } from './s3-answers.ts';

/** An answer of S3 that is not a success. */
export interface S3Failure extends S3Error {
  readonly status: number;
  /** Name of the bucket and its host. */
  readonly where: string;
  /** Path of the file below the prefix; empty for the bucket itself. */
  readonly path: string;
}

/** Remedies by the codes of S3. A map, because a code is untrusted text and an object has inherited keys. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['AccessDenied', 'Allow the access key to list, read, write and delete objects of the bucket'],
  ['AllAccessDisabled', 'Ask the operator of the bucket'],
  ['ExpiredToken', 'Give a new session token'],
  ['InvalidAccessKeyId', 'Check the access key'],
  ['InvalidToken', 'Give a new session token'],
  ['NoSuchBucket', 'Check the name of the bucket, or create it'],
  ['RequestTimeTooSkewed', 'Set the clock of this machine'],
  ['SignatureDoesNotMatch', 'Check the secret access key and the region'],
]);

/** Codes that are no rejection: the same request may succeed later. */
const passing = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'Throttling',
]);
const passingStatuses = [408, 425, 429];

/** Converts an answer of S3 to an error. The message contains its status and code, and no other text of the answer. */
export function s3Error({ status, code, region, where, path }: S3Failure): EnrichError {
  if (status === 412)
    return new Conflict(`The file ${JSON.stringify(path)} has changed since it was listed. List it again.`);
  if (isMissing(status, code) && path !== '')
    return new NotFound(`The file ${JSON.stringify(path)} does not exist.`);
  const answered = `${where} answered ${status}${code === null ? '' : ` ${code}`}`;
  if (status >= 500 || passingStatuses.includes(status) || (code !== null && passing.has(code))) {
    return new StorageUnavailable(`${answered}.`);
  }
  if (region !== null && (status === 400 || (status >= 300 && status < 400))) {
    return new StorageRejected(`${answered}: the bucket is in another region. Use the region ${region}.`);
  }
  if (status < 400) {
    return new StorageRejected(`${answered}, a redirect, which is not followed. Check region and endpoint.`);
  }
  const remedy = remedies.get(code ?? '') ?? 'Check the address, the access key and its permissions';
  return new StorageRejected(`${answered}. ${remedy}.`);
}

/** True for the answer about an object that does not exist. A HEAD has no code. */
export function isMissing(status: number, code: string | null): boolean {
  return status === 404 && (code === null || code === 'NoSuchKey' || code === 'NoSuchVersion');
}
