/** The words of a command of `gantry`, as in `instance-disk attach`. */
export interface CommandWords {
  noun: string
  /** Empty for a command of one word. */
  verb: string
}

/** What operations do. The last of these in a name begins the verb; without one, the last word is it. */
const verbs = new Set(
  (
    'create view list update delete add remove attach detach set start stop reboot get put download head link unlink ' +
    'enable disable apply clear commit withdraw check cancel retry revert begin demote promote finalize resend probe ' +
    'complete write zeros inject acknowledge edit reset end request confirm deny invite expunge read suspend resume ' +
    'change grow logout plan'
  ).split(' '),
)

/** Lists that can be filtered and sorted have the plain name, and those of the reference say so. */
const sorted = [
  'disk',
  'external_subnet',
  'floating_ip',
  'image',
  'instance',
  'internet_gateway',
  'project',
  'snapshot',
  'vpc',
  'vpc_router',
  'vpc_subnet',
]

/** Operations whose names do not follow the rule, or would hide a command of the program. */
const exceptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    sorted.flatMap((noun) => [
      [`${noun}_sorted_list`, `${noun.replace('_', '-')} list`],
      [`${noun}_list`, `${noun.replace('_', '-')} list-plain`],
    ]),
  ),
  disk_identity_update: 'disk update',
  instance_identity_update: 'instance rename',
  instance_snapshot_identity_update: 'instance-snapshot update',
  device_access_token: 'device-auth token',
  disk_bulk_write_import: 'disk bulk-write-import',
  disk_bulk_write_import_start: 'disk bulk-write-import-start',
  disk_bulk_write_import_stop: 'disk bulk-write-import-stop',
  group_effective_roles: 'group effective-roles',
  user_effective_roles: 'user effective-roles',
  instance_batch_names: 'instance-batch names',
  instance_force_off: 'instance force-off',
  instance_screen_stream: 'instance screen-stream',
  instance_serial_console: 'instance serial-console',
  instance_serial_console_stream: 'instance serial-console-stream',
  logout: 'session end',
  networking_bgp_imported_routes_ipv4: 'networking-bgp imported-routes-ipv4',
  networking_bgp_message_history: 'networking-bgp message-history',
}

/** The command of an operation, by its name (`instanceDiskAttach`) or its id (`instance_disk_attach`). */
export function commandOf(operation: string): CommandWords {
  const id = operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const known = exceptions[id]
  if (known !== undefined) return wordsOf(known)
  const words = id.split('_')
  // `gantry login` is how a person signs in.
  if (words[0] === 'login' && !loginReads.test(id)) return { noun: 'sign-in', verb: words.slice(1).join('-') }
  const last = words.findLastIndex((word, at) => at > 0 && verbs.has(word))
  const at = last === -1 ? Math.max(1, words.length - 1) : last
  return { noun: words.slice(0, at).join('-'), verb: words.slice(at).join('-') }
}

const loginReads = /^login_(?:silo|method)_/

function wordsOf(command: string): CommandWords {
  const [noun = '', verb = ''] = command.split(' ')
  return { noun, verb }
}

/** Options of commands themselves. A field of such a name is prefixed by its place. */
export const ownFlags = [
  'all',
  'api-version',
  'body',
  'columns',
  'help',
  'if-match',
  'json',
  'output',
  'plan',
  'profile',
  'retry',
  'tag',
  'url',
  'watch',
] as const

/** The option of a field: `boot_disk` is `--boot-disk`. */
export function flagOf(place: 'path' | 'query' | 'body', field: string): string {
  const flag = field.replaceAll('_', '-')
  return ownFlags.some((own) => own === flag) ? `${place}-${flag}` : flag
}

/** Operations whose body has no fields of its own, so that it is given as a whole. */
export const wholeBodies: ReadonlySet<string> = new Set([
  'confirmationCreate',
  'instanceBackupRestore',
  'ipPoolRangeAdd',
  'ipPoolRangeRemove',
  'localIdpUserSetPassword',
  'networkImpactView',
  'networkTrialCreate',
  'systemUpdateTrustRootCreate',
])
