import type { InputOf } from '@gantry/api/client/client'
import { hostnamePatternProblem, patternOf, patternProblem } from '@gantry/api/compute/instance-batch.rules'
import { batchLimits, unshared } from '@gantry/api/compute/instance-batch.rules'
import { nameFieldProblem } from '@gantry/api/base/name.rules'
import { instanceBody } from './body.ts'
import { countOf, type InstanceValues } from './values.ts'

type Numbers = Pick<InstanceValues, 'count' | 'first'>

/** The number of the first instance; the form may hold none yet. */
export const firstOf = ({ first }: Pick<Numbers, 'first'>): number => first ?? 1
const lastOf = (values: Numbers): number => firstOf(values) + countOf(values) - 1

/** The problem with the name, which is a pattern where several instances are created. */
export function nameOrPatternProblem(name: string, values: Numbers): string | undefined {
  if (name === '' || countOf(values) === 1) return nameFieldProblem(name)
  const problem = patternProblem(patternOf(name), lastOf(values), nameFieldProblem)
  return problem && sentence(problem)
}

/** The problem with the host name, likewise. Empty follows the name. */
export function hostnameOfManyProblem(hostname: string, values: Numbers): string | undefined {
  if (hostname === '') return undefined
  const problem = hostnamePatternProblem(patternOf(hostname), lastOf(values))
  return problem && sentence(problem)
}

export const firstProblem = (first: number | null, count: number | null): string | undefined =>
  first !== null && first + countOf({ count }) - 1 > batchLimits.lastNumber
    ? `The last number can be at most ${batchLimits.lastNumber.toLocaleString('en-US')}`
    : undefined

/** What the form has that several instances cannot share, in whole sentences. */
export function whyNotMany(values: InstanceValues): string[] {
  const { bootSource, bootCopy, disks, interfaces, networkType, floatingIps } = values
  const attached = bootSource === 'disk' || disks.some(({ type }) => type === 'attach')
  const copied = (bootSource === 'copy' && bootCopy) || disks.some(({ type }) => type === 'copy')
  return [
    ...(attached ? [`${sentence(unshared.disk)}: create the disks from an image instead.`] : []),
    ...(copied
      ? ['The data of disks can be copied to one instance only: begin with fresh disks instead.']
      : []),
    ...(networkType !== 'none' && floatingIps.length > 0
      ? [`${sentence(unshared.floating)}: remove it under Networking.`]
      : []),
    ...(networkType === 'custom' && interfaces.some(({ ip }) => ip.trim() !== '')
      ? [`${sentence(unshared.address)}: let each get a free one.`]
      : []),
  ]
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The request that creates several instances with the form's values. */
export function batchBody(
  values: InstanceValues,
  context: Parameters<typeof instanceBody>[1],
): InputOf<'instanceBatchCreate'>['body'] {
  // Each instance's disks are named after it.
  const bootDiskName = values.bootDiskName || 'boot'
  const {
    name: _name,
    hostname: _hostname,
    bootDisk,
    ...instance
  } = instanceBody({ ...values, bootDiskName }, context)
  return {
    namePattern: patternOf(values.name),
    ...(values.hostname && { hostnamePattern: patternOf(values.hostname) }),
    first: firstOf(values),
    count: countOf(values),
    instance: {
      ...instance,
      bootDisk:
        bootDisk?.type === 'create' ? { ...bootDisk, description: 'Created as a boot disk' } : bootDisk,
    },
  }
}
