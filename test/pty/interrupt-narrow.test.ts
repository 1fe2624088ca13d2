import { describe } from 'vitest';
import { testInterrupts } from '../support/pty/interrupts.ts';

describe('Ctrl-C in a terminal of 80 columns', () => testInterrupts(80));
