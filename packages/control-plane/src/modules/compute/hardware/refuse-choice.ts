import { type Hardware, hardwareProblem } from '@gantry/api/storage/hardware.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import { lackRefusal, lacks } from '@gantry/control-plane/fleet/capabilities'

/** Refuses what does not work, and what this fleet's machines cannot have, if the choice adds it. */
export function refuseChoice(
  { services }: Pick<Cx, 'services'>,
  choice: Partial<Hardware>,
  is: Hardware,
): void {
  const problem = hardwareProblem({ ...is, ...choice })
  if (problem !== undefined) throw invalid(`${problem}.`, 'Choose UEFI, or make `secure_boot` false.')
  const wanted = {
    uefi: choice.firmware === 'uefi',
    secure_boot: choice.secure_boot === true,
    tpm: choice.tpm === true,
  }
  for (const capability of ['uefi', 'secure_boot', 'tpm'] as const)
    if (wanted[capability] && lacks(services.fleet, capability)) throw lackRefusal(capability)
}
