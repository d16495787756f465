import { missingPrograms } from './host-command.ts'
import { networkPrograms } from '../network/requirements.ts'
import { fleetPrograms } from './requirements.ts'

/** What this host lacks to run machines and their networks, and the command that installs it. */
export async function missingForFleet(
  wanted: Parameters<typeof networkPrograms>[0],
): Promise<{ message: string; advice: string } | undefined> {
  const missing = await missingPrograms([...fleetPrograms, ...networkPrograms(wanted)])
  if (missing.length === 0) return undefined
  return {
    message: `programs are missing: ${missing.map(({ program }) => program).join(', ')}`,
    advice: `Install their packages: apt install ${[...new Set(missing.map((one) => one.debian))].join(' ')}.`,
  }
}
