import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Maximum number of imports in a file. */
const importsMax = {
  selector: 'Program > ImportDeclaration:nth-child(26)',
  message: 'A file has at most 25 imports. Move a part of it into a file of its own.',
};

export default tseslint.config(
  {
    ignores: ['examples/typescript-client/schema.ts', 'dist/', 'node_modules/', '.nightshift/', 'coverage/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: './test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // Factories return closures, and no code uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      'no-nested-ternary': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/console/**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: { project: './src/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'db/**/*.ts', 'workers/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 350 }],
      'no-restricted-syntax': ['error', importsMax],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['db/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        importsMax,
        {
          selector: "TaggedTemplateExpression[tag.name='sql'][typeArguments]",
          message:
            'Nothing checks a type argument of `sql`: use `mapWith`, or declare the row of a statement.',
        },
      ],
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: { process: 'readonly', Atomics: 'readonly', SharedArrayBuffer: 'readonly' },
    },
  },
);
