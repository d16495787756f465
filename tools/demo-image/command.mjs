import { execFileSync } from 'node:child_process'

/** Ordinary users of Debian have no sbin in their path. */
export const searched = `${process.env.PATH}:/usr/sbin:/sbin`

/**
 * Runs a program and returns what it prints; a failure says what the program said.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, input?: string, path?: string, encoding?: 'utf8' | 'latin1' }} [options]
 */
export function command(program, args, { cwd, input, path = searched, encoding = 'utf8' } = {}) {
  try {
    return execFileSync(program, args, {
      cwd,
      input,
      encoding,
      env: { ...process.env, PATH: path, LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 256 * 1024 * 1024,
    })
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error)
    throw new Error(`${program} failed: ${stderr?.trim() || message}`, { cause: error })
  }
}
