import { SourceRefused, type EnrichError } from '../errors.ts';

/** The message of an error, with what a source itself said where it refused: for whoever can mend it. */
export function messageWithVendor(error: EnrichError): string {
  const reported = error instanceof SourceRefused ? error.reported : null;
  return reported === null ? error.message : `${error.message}; it says "${reported}"`;
}
