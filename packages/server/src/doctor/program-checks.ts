import fs from 'node:fs/promises'
import { type Finding, ok, problem, warning } from './finding.ts'

const LEAST_NODE = [20, 19] as const
/** The oldest that still has updates, from the version on that production documents name. */
const UPDATED_NODE = [22, 18] as const

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSince = ([leastMajor, leastMinor]: readonly [number, number]): boolean =>
    major > leastMajor || (major === leastMajor && minor >= leastMinor)
  const advice = `Install Node ${UPDATED_NODE.join('.')} or newer.`
  if (!isSince(LEAST_NODE)) return problem('node', `Node ${version} is too old`, advice)
  if (!isSince(UPDATED_NODE))
    return warning('node', `Node ${version} gets no security updates, or lacks the latest`, advice)
  return ok('node', `Node ${version}`)
}

/** Whether the files exist that the program starts or serves but does not import. */
export async function programFiles(files: readonly string[]): Promise<Finding> {
  const missing: string[] = []
  for (const file of files) await fs.access(file, fs.constants.R_OK).catch(() => missing.push(file))
  return missing.length === 0
    ? ok('program', 'all files of the program are there')
    : problem('program', `missing or unreadable: ${missing.join(', ')}`, 'Install the program again.')
}
