import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The TypeScript blocks of the README by the file name they are compiled under. */
function readExamples(): Map<string, string> {
  const blocks = readFileSync(path('../README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, code = ''], index) => [path(`./example-${index + 1}.mts`), code]));
}

/** What the compiler has to say of these files, which need not be on the disk. */
function compile(files: Map<string, string>): string[] {
  const { compilerOptions } = ts.readConfigFile(path('../tsconfig.json'), ts.sys.readFile).config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...compilerOptions,
      noEmit: true,
      declaration: false,
      declarationMap: false,
      rootDir: '../..',
      types: ['node'],
      paths: { '@frontdesk/client': [path('../src/index.ts')] },
    },
    path('..'),
  );
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.fileExists = (file) => files.has(file) || fileExists(file);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

test('every example of the README compiles', () => {
  const examples = readExamples();
  expect(examples.size).toBeGreaterThan(7);
  expect(compile(examples)).toEqual([]);
});

test('a wrong example would not', () => {
  const wrong = "import { createFrontdesk } from '@frontdesk/client';\ncreateFrontdesk({ baseUrl: 1, apiKey: 'k' });\n";
  expect(compile(new Map([[path('./wrong.mts'), wrong]]))).toEqual([expect.stringContaining("'number' is not assignable")]);
});
