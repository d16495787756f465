import { fleetRequirements } from '../fleet/qemu/requirements.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Whether this host can run machines, and how well they are kept apart. */
export async function fleetChecks(): Promise<Finding[]> {
  const { engine, packages, isolation } = await fleetRequirements()
  const findings: Finding[] = []
  const missing = packages.filter(({ isThere }) => !isThere)
  if (missing.length > 0)
    findings.push(
      problem(
        'fleet',
        `programs are missing: ${missing.map(({ program }) => program).join(', ')}`,
        `Install their packages: apt install ${[...new Set(missing.map((one) => one.debian))].join(' ')}.`,
      ),
    )
  if (engine === undefined) return findings
  findings.push(
    engine.whyNoKvm === ''
      ? ok('fleet', `QEMU ${engine.version} runs machines with KVM`)
      : warning(
          'fleet',
          `QEMU ${engine.version} translates the code of machines, which makes them slow. ${engine.whyNoKvm}`,
          'Enable virtualization in the firmware, load the kernel module kvm_intel or kvm_amd, or use another host.',
        ),
    isolation.sharesUser === ''
      ? ok('isolation', 'each machine runs as a user of its own')
      : warning(
          'isolation',
          `all machines run as one user. ${isolation.sharesUser}`,
          'Run the server as root, or trust all machines of this host alike.',
        ),
    isolation.lacksLimits === ''
      ? ok('limits', 'control groups limit the memory, processes and processor of each machine')
      : warning(
          'limits',
          `nothing limits what the process of a machine takes beyond the guest's memory. ${isolation.lacksLimits}`,
          'Run the server as root on a host with control groups of version 2.',
        ),
  )
  return findings
}
