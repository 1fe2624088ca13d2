import { z } from '@hono/zod-openapi';

/** A finding that may be unknown. */
export const known = (what: string) =>
  z
    .boolean()
    .nullable()
    .openapi({ description: `${what} Null if unknown.` });

/** A finding that is always known. */
export const flag = (what: string) => z.boolean().openapi({ description: what });

/** Address that the user probably meant. */
export const didYouMean = z
  .string()
  .nullable()
  .openapi({ description: 'Address that was probably meant, for a likely typo. Otherwise null.' });

/** Earliest time of another verdict. */
export const retryAt = z.iso.datetime().nullable().openapi({
  description: 'Earliest time at which a new validation may give another verdict. Null if it would not.',
});

/** Kind of the address and of its domain. */
export const addressFields = {
  is_disposable: flag('The domain provides disposable addresses.'),
  is_privacy_relay: flag('The domain forwards mail to a hidden address.'),
  is_role: flag('The address belongs to a role such as `info`, not to a person.'),
  is_free: flag('The domain provides free addresses to the public.'),
  is_domain_catch_all: known('The mail server accepts any address of the domain.'),
};

/** The preferred mail host. */
export const mxRecord = z
  .string()
  .nullable()
  .openapi({ description: 'The preferred mail host of the domain. Null if unknown.' });

/** Mail host and policies of the domain. */
export const domainFields = {
  mx_security_gateway: known('The mail host is a gateway that filters mail for another server.'),
  implicit_mx: known('The domain has no MX record and accepts mail itself.'),
  has_spf: known('The domain has an SPF policy.'),
  has_dmarc: known('The domain has a DMARC policy.'),
};
