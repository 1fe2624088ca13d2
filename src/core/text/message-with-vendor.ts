import { SourceRefused, type EnrichError } from '../errors.ts';

/** The message of an error, with what a source itself said where it refused: for whoever can mend it. */
export function messageWithVendor(error: EnrichError): string {
  const vendorMessage = error instanceof SourceRefused ? error.vendorMessage : null;
  return vendorMessage === null ? error.message : `${error.message}; it says "${vendorMessage}"`;
}
