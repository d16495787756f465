import type { Settings } from '@gantry/control-plane/settings'
import { missingPrograms } from '../fleet/qemu/host/host-command.ts'
import { missingForFleet } from '../fleet/qemu/host/missing-programs.ts'
import { missingUefi, uefiPackage } from '../fleet/qemu/machine/firmware.ts'
import { hasTpm, tpmProgram } from '../fleet/qemu/machine/tpm.ts'
import { networkPrograms, networkProblem } from '../fleet/qemu/network/requirements.ts'
import { fleetRequirements } from '../fleet/qemu/host/requirements.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Whether this host can run machines and their networks, and how well they are kept apart. */
export async function fleetChecks(
  { external_interface: externalInterface }: Pick<Settings['fleet'], 'external_interface'>,
  asUser = process.getuid?.() !== 0,
): Promise<Finding[]> {
  const { engine, isolation, whyNotConfined } = await fleetRequirements()
  const wanted = { asUser, externalInterface }
  const missing = await missingForFleet(wanted)
  const findings = missing ? [problem('fleet', missing.message, missing.advice)] : []
  if ((await missingPrograms(networkPrograms(wanted))).length === 0)
    findings.push(await networkFinding(wanted))
  if (whyNotConfined !== '')
    findings.push(
      problem(
        'confinement',
        `no machine can start, because its process cannot lose its rights: ${whyNotConfined}`,
        'Allow user namespaces on this host, or in the container that the server runs in.',
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
    (await hasTpm())
      ? ok('tpm', 'guests can have a security chip (TPM 2.0)')
      : warning(
          'tpm',
          'no guest can have a security chip (TPM 2.0): its emulator is not installed',
          `Install the package ${tpmProgram.debian}: apt install ${tpmProgram.debian}.`,
        ),
    !(await missingUefi())
      ? ok('firmware', 'guests boot by a BIOS or by UEFI, with secure boot where an image says so')
      : warning(
          'firmware',
          'guests boot by a BIOS only: UEFI is not installed',
          `Install the package ${uefiPackage}: apt install ${uefiPackage}.`,
        ),
  )
  return findings
}

async function networkFinding(wanted: Parameters<typeof networkProblem>[0]): Promise<Finding> {
  const found = await networkProblem(wanted)
  if (found) return problem('networks', found.message, found.advice)
  if (wanted.asUser)
    return warning(
      'networks',
      'guests reach the outside, and nothing outside reaches them',
      'Run the server as root if instances need external addresses.',
    )
  const { externalInterface } = wanted
  return ok(
    'networks',
    externalInterface === undefined
      ? 'external addresses are reachable from this host'
      : `external addresses are answered for on ${externalInterface}`,
  )
}
