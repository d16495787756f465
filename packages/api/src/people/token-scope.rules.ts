/** What an access token with a scope may do, in the order in which it is read. */
export const tokenPowers = ['read', 'operate', 'change', 'delete', 'console', 'administer'] as const
export type TokenPower = (typeof tokenPowers)[number]

export const tokenPowerWords: Readonly<Record<TokenPower, { label: string; detail: string }>> = {
  read: { label: 'Read', detail: 'Lists, pages, metrics and activity. No consoles.' },
  operate: { label: 'Start, stop and reboot', detail: 'Of instances that exist.' },
  change: { label: 'Create and change', detail: 'Instances, disks, networks, images, tags.' },
  delete: { label: 'Delete', detail: 'Protection still holds.' },
  console: { label: 'Consoles', detail: 'The serial consoles of instances.' },
  administer: { label: 'Administer', detail: 'Access, users, silos and the fleet, where you may.' },
}

export interface TokenScope {
  powers: readonly TokenPower[]
  /** Ids of projects; null: wherever its user may. */
  projects: readonly string[] | null
}

export const tokenLimits = {
  name: 63,
  description: 512,
  /** In the scope of one token. */
  projects: 50,
  /** The shortest that is worth a name, in seconds. */
  secondsMin: 60,
} as const

/** Why a text cannot be a token's name; undefined if it can. */
export function tokenNameProblem(name: string): string | undefined {
  if (name === '') return 'Name is required'
  if (name.length > tokenLimits.name) return `Name must have at most ${tokenLimits.name} characters`
  if (!/^[a-zA-Z0-9](?:[\w .-]*[a-zA-Z0-9])?$/.test(name))
    return 'Name may have letters, digits, blanks, dashes, dots and underscores, and begins and ends with a letter or a digit'
  return undefined
}

/** What the scope allows, in words. */
export const powersText = (powers: readonly TokenPower[]): string =>
  tokenPowers
    .filter((power) => powers.includes(power))
    .map((power, index) => {
      const { label } = tokenPowerWords[power]
      return index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1)
    })
    .join(', ')
