// Checks the types of every package, two at a time. Each with one checker: several of them resolve the same types again,
// which takes more than twice the processor time.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './lib/builds.mjs'

const projects = ['api', 'control-plane', 'server', 'preview', 'console'].map((name) => `packages/${name}`)
const queue = [...projects, 'e2e', 'bench', 'gates']
const tsc = path.join(root, 'node_modules/typescript/bin/tsc')

const check = (project) =>
  new Promise((resolve) => {
    const args = [tsc, '--noEmit', '--checkers', '1', '-p', project]
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    child.on('close', (code) => resolve(code === 0))
  })

let good = true
const worker = async () => {
  for (let project = queue.shift(); project; project = queue.shift()) good = (await check(project)) && good
}
await Promise.all([worker(), worker()])
process.exitCode = good ? 0 : 1
