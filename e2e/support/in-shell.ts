import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { builtGantry } from './command-line.ts'

/** Runs code as a user would paste it into a shell, with a token, and `gantry` among the programs. */
export async function inShell(code: string, url: string, token: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-shell-'))
  try {
    const program = path.join(folder, 'gantry')
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${builtGantry}" "$@"\n`)
    chmodSync(program, 0o755)
    const { stdout } = await promisify(execFile)('bash', ['-ec', code], {
      env: {
        PATH: `${folder}:${process.env['PATH']}`,
        XDG_CONFIG_HOME: folder,
        GANTRY_URL: url,
        GANTRY_TOKEN: token,
      },
    })
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
