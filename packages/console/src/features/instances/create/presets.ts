import { GiB } from '@gantry/api/base/bytes.rules'
import { hardwarePresets } from '@gantry/api/compute/instance.rules'
import { type InstanceValues, presetKey, type PresetTab, presetTabs } from './values.ts'

/** The silo's quotas, in CPUs and bytes. */
interface Quota {
  cpus: number
  memory: number
}
type Preset = readonly [ncpus: number, gib: number]
type Hardware = Pick<InstanceValues, 'hardwareTab' | 'preset' | 'ncpus' | 'memory'>

/** Whether no instance of this size could ever start, as on a small host whose silos have what it has. */
export const isTooLarge = ([ncpus, gib]: Preset, quota: Quota | undefined): boolean =>
  quota !== undefined && (ncpus > quota.cpus || gib * GiB > quota.memory)

/** The preset of a tab to begin with. */
export function presetOf(tab: PresetTab, quota: Quota | undefined): string {
  const presets: readonly Preset[] = hardwarePresets[tab]
  const [first] = hardwarePresets[tab]
  return presetKey(presets.find((preset) => !isTooLarge(preset, quota)) ?? first)
}

/** The hardware to begin with where the usual preset is too large: the first that fits, or a small custom machine. */
export function hardwareWithin(quota: Quota): Partial<Hardware> {
  // Nothing fits into a quota that is not set yet.
  if (isTooLarge([1, 1], quota)) return {}
  const tab = presetTabs.find((name) => hardwarePresets[name].some((preset) => !isTooLarge(preset, quota)))
  if (tab) return { hardwareTab: tab, preset: presetOf(tab, quota) }
  return {
    hardwareTab: 'Custom',
    ncpus: Math.min(2, quota.cpus),
    memory: Math.min(2, Math.floor(quota.memory / GiB)),
  }
}
