import { describe } from 'vitest';
import { testInterrupts } from '../support/pty/interrupts.ts';

describe('Ctrl-C in a terminal of 120 columns', () => testInterrupts(120));
