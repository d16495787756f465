import fs from 'node:fs/promises'
import { type Finding, ok, problem } from './finding.ts'

const LEAST_NODE = [20, 19] as const

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  return isEnough
    ? ok('node', `Node ${version}`)
    : problem('node', `Node ${version} is too old`, `Install Node ${LEAST_NODE.join('.')} or newer.`)
}

/** Whether the files exist that the program starts or serves but does not import. */
export async function programFiles(files: readonly string[]): Promise<Finding> {
  const missing: string[] = []
  for (const file of files) await fs.access(file, fs.constants.R_OK).catch(() => missing.push(file))
  return missing.length === 0
    ? ok('program', 'all files of the program are there')
    : problem('program', `missing or unreadable: ${missing.join(', ')}`, 'Install the program again.')
}
