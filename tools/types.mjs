// Checks the types of every file once: other packages read the declarations of what they import. Those stay in the cache
// with what is known of unchanged packages. Each with one checker: several of them resolve the same types again, which
// takes more than twice the processor time.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './lib/builds.mjs'

const modules = path.join(root, 'node_modules')
/** `outDir` of tsconfig.base.json. */
const cache = path.join(modules, '.cache/types')
const tsc = path.join(modules, 'typescript/bin/tsc')
/** The last of those that import each other; `.` has the tests beside the packages, and the tools. */
const projects = ['.', 'packages/console', 'packages/preview']

// The compiler looks for changes in our files only, not in installed ones.
const installed = fs.statSync(path.join(modules, '.package-lock.json'))
const known = fs.statSync(cache, { throwIfNoEntry: false })
if (known && known.birthtimeMs < installed.mtimeMs) fs.rmSync(cache, { recursive: true })

const args = ['--build', '--checkers', '1', '--builders', '2', ...projects]
process.exitCode = spawnSync(process.execPath, [tsc, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
