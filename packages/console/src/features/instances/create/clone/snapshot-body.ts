import { generateName } from '@gantry/api/base/name.rules'
import { randomHex } from '#/kit/page/bytes.ts'
import type { CopiedDisk, InstanceValues } from '../values.ts'

/** The description explains the purpose of a snapshot left behind. */
export const snapshotBody = ({ id, name }: CopiedDisk, { name: instance }: InstanceValues) => ({
  name: generateName(randomHex, name),
  description: `Taken to clone disks for ${instance}`,
  disk: id,
})
