import assert from 'node:assert/strict';
import { localOctetsMax } from '../../../core/emails/syntax/address.ts';
import { addressOctetsMax } from '../../../core/emails/syntax/address-domain.ts';

/** Every command that is ever sent. DATA, VRFY, EXPN and AUTH are not among them. */
export type SmtpCommand =
  | { readonly verb: 'EHLO' | 'HELO'; readonly name: string }
  | { readonly verb: 'STARTTLS' | 'RSET' | 'QUIT' }
  /** `from` may be empty: the null sender. */
  | { readonly verb: 'MAIL'; readonly from: string; readonly utf8: boolean }
  | { readonly verb: 'RCPT'; readonly to: string; readonly utf8: boolean };

/** RFC 5321 §4.1.2, RFC 6531 §3.3: an atom or a quoted string, then a domain in ASCII. */
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]+";
const quoted = '"(?:[ !#-\\[\\]-~\\u0080-\\u{10ffff}]|\\\\[ -~])+"';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const mailbox = new RegExp(`^(${atom}(?:\\.${atom})*|${quoted})@${label}(?:\\.${label})*$`, 'u');
/** RFC 5321 §4.1.1.1: a domain, or an address literal. */
const helloName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[A-Za-z0-9.:]+\])$/;
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const ascii = /^[\x20-\x7e]*$/;

/** True when an address in a command is unambiguous. */
export function isSafeCommand(address: string): boolean {
  const local = mailbox.exec(address)?.[1];
  if (local === undefined || invisible.test(address)) return false;
  return Buffer.byteLength(local) <= localOctetsMax && Buffer.byteLength(address) <= addressOctetsMax;
}

/** True when an address needs the extension SMTPUTF8 (RFC 6531). */
export function needsUtf8(address: string): boolean {
  return !ascii.test(address);
}

/** True when a text can be the name in EHLO. */
export function isHelloName(name: string): boolean {
  return helloName.test(name) && name.length <= 255;
}

/**
 * Formats a command with its CRLF. All commands are formatted here. Asserts what callers must have checked: no control characters, nothing
 * that ends an address early, no letters beyond ASCII without SMTPUTF8.
 */
export function commandLine(command: SmtpCommand): string {
  const line = withoutEnd(command);
  assert(!invisible.test(line), 'A command has a control character.');
  assert(ascii.test(line) || ('utf8' in command && command.utf8), 'A command needs SMTPUTF8.');
  return `${line}\r\n`;
}

function withoutEnd(command: SmtpCommand): string {
  switch (command.verb) {
    case 'EHLO':
    case 'HELO':
      assert(isHelloName(command.name), 'The name for EHLO is not a host name.');
      return `${command.verb} ${command.name}`;
    case 'MAIL':
      assert(command.from === '' || isSafeCommand(command.from), 'The sender cannot be sent in a command.');
      return `MAIL FROM:<${command.from}>${command.utf8 ? ' SMTPUTF8' : ''}`;
    case 'RCPT':
      assert(isSafeCommand(command.to), 'The recipient cannot be sent in a command.');
      return `RCPT TO:<${command.to}>`;
    default:
      return command.verb;
  }
}
