import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const { resolve } = createRequire(import.meta.url)
const generator = resolve('@oxide/openapi-gen-ts')
const compiler = path.join(path.dirname(resolve('typescript/package.json')), 'bin/tsc')
const methods = fileURLToPath(new URL('methods.ts', import.meta.url))

/** Generates a client from a document with the ecosystem's generator; returns the path of its main file. */
export function generateClient(document: string, folder: string): string {
  const spec = path.join(folder, 'openapi.json')
  const client = path.join(folder, 'client')
  mkdirSync(client)
  writeFileSync(spec, document)
  run(generator, [spec, client])
  return path.join(client, 'Api.ts')
}

/** Compiles a client as strictly as our code, and checks that it has the methods of the workflow below. */
export function compileClient(api: string, type: 'Methods' | 'NewestMethods'): void {
  const client = path.dirname(api)
  const use = path.join(client, 'use.ts')
  writeFileSync(
    use,
    `import type { ${type} } from '${methods}'
import Api from './Api'
export const methods: ${type} = new Api({ host: '', token: '' }).methods
`,
  )
  compile(use)
}

/** Compiles a file with what it imports, as strictly as our code. Throws what the compiler says. */
export function compile(file: string): void {
  const options =
    '--noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target es2023'
  const libraries = ['--lib', 'es2023,dom,dom.iterable', '--types', '', '--allowImportingTsExtensions']
  run(compiler, [...options.split(' '), ...libraries, '--ignoreConfig', file])
}

export function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${path.basename(program)} ended with ${status}:\n${stdout}${stderr}`)
}
