import { missingPrograms } from './host-command.ts'
import { networkPrograms } from '../network/requirements.ts'
import { fleetPrograms } from './requirements.ts'

/** The programs that this host lacks for machines and their networks, and the command that installs them. */
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
