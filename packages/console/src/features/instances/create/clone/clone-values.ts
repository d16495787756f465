import { transitIpsOf } from '@gantry/api/network/interface-addresses.rules'
import { GiB } from '@gantry/api/base/bytes.rules'
import { hardwarePresets } from '@gantry/api/compute/instance.rules'
import { emptyInterface } from '#/features/addresses/interface-values.ts'
import {
  type EphemeralFieldValues,
  ephemeralValues,
  type InstanceValues,
  presetKey,
  presetTabs,
  type ValuesOrDefault,
} from '../values.ts'
import { type ClonedDisks, cloneDisks } from './clone-disks.ts'
import { copyName, type Offered } from './offered.ts'
import type { CloneSource } from './source.ts'

export interface Clone {
  /** Replaces the form's default values. */
  values: Partial<InstanceValues>
  disks: ClonedDisks
  /** The settings that could not be copied and why, in whole sentences. */
  notCopied: string[]
}

/** The form's values for a clone of an instance. */
export function cloneOf(source: CloneSource, offered: Offered): Clone {
  const { instance } = source
  const disks = cloneDisks(source, offered)
  const notCopied = [...disks.notCopied]
  const values = {
    name: copyName(instance.name),
    description: instance.description,
    count: undefined,
    first: undefined,
    start: undefined,
    hostname: undefined,
    userDataFrom: undefined,
    userDataText: undefined,
    userData: undefined,
    ...hardware(instance),
    ...disks.values,
    disks: disks.copy.disks,
    bootSource: disks.copy.bootSource,
    bootDisk: undefined,
    bootTemplate: undefined,
    installer: undefined,
    drivers: undefined,
    installerFirmware: undefined,
    chosenHardware: instance.hardware ?? undefined,
    bootDiskName: undefined,
    ...interfaces(source, notCopied),
    ...externalIps(source, offered, notCopied),
    sshKeys: sshKeys(source, offered, notCopied),
    antiAffinityGroups: source.antiAffinityGroups.map(({ id }) => id),
    autoRestartPolicy: instance.autoRestartPolicy ?? 'default',
    cpuPlatform: instance.cpuPlatform ?? '',
  } satisfies ValuesOrDefault
  if (instance.hostname !== instance.name)
    notCopied.push(
      `Hostname ${instance.hostname}: a hostname belongs to one instance, so the new name is used instead.`,
    )
  for (const { name } of source.affinityGroups)
    notCopied.push(`Affinity group ${name}: add the instance after you create it.`)
  if (instance.enableJumboFrames)
    notCopied.push('Jumbo frames: switch them on under Settings after you create the instance.')
  if (instance.cds) notCopied.push('CDs: insert them under Storage after you create the instance.')
  notCopied.push('User data: it cannot be read back. Enter it again if needed.')
  return { values: withoutDefaults(values), disks, notCopied }
}

const withoutDefaults = (values: ValuesOrDefault): Partial<InstanceValues> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Hardware as a preset, if there is one of that size. */
export function hardware({ ncpus, memory }: Pick<CloneSource['instance'], 'ncpus' | 'memory'>) {
  const gib = memory / GiB
  const custom = { ncpus, memory: gib }
  const key = presetKey([ncpus, gib])
  const tab = presetTabs.find((each) => hardwarePresets[each].some((preset) => presetKey(preset) === key))
  return tab
    ? { ...custom, hardwareTab: tab, preset: key }
    : { ...custom, hardwareTab: 'Custom' as const, preset: undefined }
}

const has = (some: readonly { id: string }[], id: string | null | undefined): boolean =>
  some.some((each) => each.id === id)

function interfaces(
  { interfaces: all, vpcs, subnets }: CloneSource,
  notCopied: string[],
): ValuesOrDefault<'networkType' | 'interfaces' | 'ipStack'> {
  if (all.length === 0) return { networkType: 'none', interfaces: [], ipStack: undefined }
  const copies = [...all]
    // The server makes the first interface primary.
    .sort((one, other) => Number(other.primary) - Number(one.primary))
    .flatMap((one) => {
      const { name, description, vpcId, subnetId } = one
      const vpc = vpcs.find(({ id }) => id === vpcId)
      const subnet = subnets.find(({ id }) => id === subnetId)
      if (!vpc || !subnet) {
        notCopied.push(`Network interface ${name}: you cannot view its VPC or subnet.`)
        return []
      }
      if (transitIpsOf(one).length > 0)
        notCopied.push(`Transit IPs of network interface ${name}: set them after you create the instance.`)
      const place = { vpc: vpc.name, subnet: subnet.name }
      return [{ ...emptyInterface, name, description, ...place, ipStack: one.ipStack.type }]
    })
  notCopied.push('Private addresses: the new instance gets free addresses from the same subnets.')
  const [only] = copies
  if (all.length === 1 && only?.name === 'net0' && only.vpc === 'default' && only.subnet === 'default')
    return { networkType: 'default', interfaces: [], ipStack: only.ipStack }
  return { networkType: 'custom', interfaces: copies, ipStack: undefined }
}

function externalIps(
  { externalIps: all }: CloneSource,
  { pools }: Offered,
  notCopied: string[],
): ValuesOrDefault<keyof EphemeralFieldValues | 'floatingIps'> {
  for (const each of all)
    if (each.kind === 'floating')
      notCopied.push(
        `Floating IP ${each.name}: it stays with the original instance. Attach another under Networking.`,
      )
  const ephemeral = all.filter(({ kind }) => kind === 'ephemeral')
  const kept = ephemeral.map((one) => pools?.find(({ id }) => id === one.ipPoolId))
  return { ...ephemeralValues(kept, pools), floatingIps: undefined }
}

function sshKeys({ sshKeys: given }: CloneSource, { sshKeys: own }: Offered, notCopied: string[]): string[] {
  const [mine, others] = [given.filter(({ id }) => has(own, id)), given.filter(({ id }) => !has(own, id))]
  if (others.length > 0)
    notCopied.push(`SSH keys ${others.map(({ name }) => name).join(', ')}: you can add only your own keys.`)
  return mine.map(({ id }) => id)
}
