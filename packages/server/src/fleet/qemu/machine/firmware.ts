import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { MachineHardware, Machines } from '@gantry/control-plane/fleet/fleet'
import { unlessMissing } from '#src/blocks/block-files-io'
import { copySparse } from '../volumes/sparse-files.ts'
import type { VolumeFiles } from '../volumes/volume-files.ts'

/** Where Debian and its descendants have UEFI for virtual machines. */
const FOLDER = '/usr/share/OVMF'
export const uefiPackage = 'ovmf'

/** Code, and the variables that a machine begins with: those for secure boot name the keys of common boot loaders. */
const builds = {
  uefi: { code: 'OVMF_CODE_4M.fd', variables: 'OVMF_VARS_4M.fd' },
  secure_boot: { code: 'OVMF_CODE_4M.secboot.fd', variables: 'OVMF_VARS_4M.ms.fd' },
} as const
type Build = keyof typeof builds

const isHere = async (build: Build, folder: string): Promise<boolean> => {
  const files = Object.values(builds[build]).map((name) => unlessMissing(fs.stat(path.join(folder, name))))
  return (await Promise.all(files)).every((file) => file?.isFile())
}

/** Which builds of UEFI this host has. */
export const hostUefi = async (folder = FOLDER): Promise<Pick<Machines['offers'], Build>> => ({
  uefi: await isHere('uefi', folder),
  secure_boot: await isHere('secure_boot', folder),
})

/** Whether the host lacks what guests need to boot by UEFI. */
export const missingUefi = async (): Promise<boolean> => {
  const { uefi, secure_boot } = await hostUefi()
  return !uefi || !secure_boot
}

/** Opens the firmware of a machine, whose variables are created with its instance's first start. */
export async function openFirmware(
  { firmware, secure_boot, variables_id }: MachineHardware,
  volumes: VolumeFiles,
): Promise<[code: FileHandle, variables: FileHandle] | undefined> {
  if (firmware === 'bios' || variables_id === null) return undefined
  const { code, variables } = builds[secure_boot ? 'secure_boot' : 'uefi']
  const opened = await fs.open(path.join(FOLDER, code), 'r').catch((cause: unknown) => {
    throw new Error(
      `This host lacks ${path.join(FOLDER, code)}. Install its package: apt install ${uefiPackage}.`,
      {
        cause,
      },
    )
  })
  try {
    if ((await volumes.size(variables_id)) === undefined) {
      const template = path.join(FOLDER, variables)
      const { size } = await fs.stat(template)
      await volumes.make(variables_id, size, (file) => copySparse(template, file))
    }
    const [kept] = await volumes.openAll([{ content_id: variables_id, read_only: false }])
    if (!kept) throw new Error(`The variables ${variables_id} could not be opened.`)
    return [opened, kept]
  } catch (error) {
    await opened.close()
    throw error
  }
}
