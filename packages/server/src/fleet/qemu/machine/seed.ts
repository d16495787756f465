import type { MachineInterface, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { isoImage } from './iso9660.ts'

/** Guests find it by this label: cloud-init calls this data source NoCloud. */
const LABEL = 'cidata'

/** A disk image from which the guest configures itself at its first boot. */
export const seedImage = (spec: MachineSpec): Buffer =>
  isoImage(LABEL, {
    'meta-data': Buffer.from(metaData(spec)),
    'user-data': Buffer.from(spec.user_data, 'base64'),
    'network-config': Buffer.from(networkConfig(spec.interfaces)),
  })

/** The instance's id stays the same over its starts, so that a guest runs its user data once. */
export function metaData({ instance_id, hostname, ssh_keys }: MachineSpec): string {
  const keys = ssh_keys.map((key) => `  - ${yamlText(key.trim())}\n`).join('')
  return [
    `instance-id: ${yamlText(instance_id)}\n`,
    `local-hostname: ${yamlText(hostname)}\n`,
    keys === '' ? 'public-keys: []\n' : `public-keys:\n${keys}`,
  ].join('')
}

/** Version 2: DHCP on every interface, known by its MAC address; the primary one has the default route. */
export function networkConfig(interfaces: readonly MachineInterface[]): string {
  const ordered = interfaces.toSorted((a, b) => Number(b.is_primary) - Number(a.is_primary))
  const cards = ordered.map(
    ({ mac }, index) =>
      `  nic${index}:\n    match: {macaddress: ${yamlText(mac.toLowerCase())}}\n    dhcp4: true\n` +
      (index === 0 ? '' : `    dhcp4-overrides: {route-metric: ${(index + 1) * 100}}\n`),
  )
  return `version: 2\nethernets:${cards.length === 0 ? ' {}' : ''}\n${cards.join('')}`
}

/** A double-quoted scalar of YAML, which holds any text. */
export const yamlText = (text: string): string =>
  `"${Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (character === '"' || character === '\\') return `\\${character}`
    if (code >= 0x20 && code < 0x7f) return character
    return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
  }).join('')}"`

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
