import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { GiB } from '@gantry/api/base/bytes.rules'
import { kinds } from '@gantry/control-plane/lookup/kinds'
import type { Chance } from './chance.ts'
import { checker, type Operation, type Parameter } from './document.ts'
import type { Draft } from './draft.ts'
import type { Schema } from './schema.ts'
import type { Role } from './people.ts'
import { finish } from './recipes.ts'
import type { Scene } from './scene.ts'
import type { Thing } from './world.ts'

/** Kinds whose selector is that of another kind, or of none that a parameter names by it. */
const unnamed = new Set<string>([
  'internet_gateway_ip_pool',
  'physical_disk',
  'audit',
  'scim_token',
  'subnet_pool',
  'subnet_pool_member',
])
/** The table that a parameter names: a kind by its selector, and by what else operations call it. */
const tableOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(kinds)
      .filter(([table]) => !unnamed.has(table))
      .map(([table, { selector }]) => [selector, table]),
  ),
  instances: 'instance',
  instance_id: 'instance',
  parent: 'instance',
  boot_disk: 'disk',
  snapshot_id: 'snapshot',
  image_id: 'image',
  vpc_name: 'vpc',
  subnet_name: 'vpc_subnet',
  custom_router: 'vpc_router',
  internet_gateway: 'internet_gateway',
  ip_pool: 'ip_pool',
  affinity_groups: 'affinity_group',
  anti_affinity_groups: 'anti_affinity_group',
  ssh_public_keys: 'ssh_key',
  silo_name: 'silo',
  provider_name: 'saml_identity_provider',
  identity_id: 'silo_user',
  action: 'instance_action',
  fault_id: 'fault',
  drain_id: 'sled_drain',
  item_id: 'recycled',
  deletion_id: 'deletion',
  restoration_id: 'restoration',
  secret_id: 'webhook_secret',
  alert_id: 'alert',
  bgp_announce_set_id: 'bgp_announce_set',
  name_or_id: 'bgp_config',
  sled: 'sled',
}
const tablesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  internet_gateway_ip_pool_delete: { pool: 'internet_gateway_ip_pool' },
  scim_token_view: { token_id: 'scim_token' },
  scim_token_delete: { token_id: 'scim_token' },
  physical_disk_view: { disk_id: 'physical_disk' },
  networking_switch_port_settings_view: { port: 'switch_port_settings' },
}
/** Tables whose rows callers mostly address as their owner. */
const ownTables = new Set([
  'ssh_key',
  'console_session',
  'device_access_token',
  'instance_action',
  'deletion',
  'restoration',
])
/** Addressed by id alone. */
const byId = /_id$|^(upload|action)$/
/** The object of an operation without its own parameter, innermost first. */
const anchors = ['gateway', 'router', 'vpc', 'instance', 'project', 'silo', 'silo_name']
/** Generators of addresses and ranges by their schema. */
const spelled: Readonly<Record<string, (chance: Chance) => unknown>> = {
  Hostname: (chance) => `host-${chance.word(6)}`,
  IpNet: (chance) => chance.pick(['10.0.0.0/8', '172.30.0.0/22', 'fd00::/48', '0.0.0.0/0']),
  Ipv4Net: (chance) => `172.30.${4 * chance.below(60)}.0/22`,
  Ipv6Net: (chance) => `fd${chance.between(16, 99)}:${chance.between(1000, 9999)}::/${chance.pick([48, 64])}`,
  L4PortRange: (chance) => chance.pick(['22', '80-443', '1-65535']),
  IcmpParamRange: (chance) => chance.pick(['0', '0-3', '255']),
  ByteCount: (chance) => GiB * chance.between(1, 4),
  InstanceCpuCount: (chance) => chance.between(1, 4),
  Password: () => 'correct horse',
}

/** Writes valid requests by the document, about existing objects. */
export class Writer {
  readonly #chance: Chance
  readonly #things: readonly Thing[]
  readonly #scene: Scene
  /** Page tokens returned by lists. */
  readonly tokens = new Map<string, string[]>()

  constructor(chance: Chance, things: readonly Thing[], scene: Scene) {
    this.#chance = chance
    this.#things = things
    this.#scene = scene
  }

  async write(op: Operation, role: Role): Promise<Draft> {
    const chance = this.#chance
    const anchor = this.#anchor(op, role)
    const isById = chance.odds(30)
    const named: Record<string, string> = {}
    let path = op.path
    let about = anchor
    for (const parameter of op.pathParams) {
      const thing =
        parameter === op.pathParams[0] ? anchor : this.#near(this.#table(op, parameter.name), about, role)
      const text = thing ? this.#spell(thing, parameter.name, isById) : chance.word()
      about ??= thing
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(text))
    }
    for (const [name, parent] of Object.entries(anchor?.parents ?? {}))
      if (!isById || chance.odds(20)) named[name] = this.#spell(parent, name, chance.odds(20))
    // Without a parameter of its own, the operation refers to the surrounding object.
    if (anchor && op.pathParams.length === 0) {
      const own = anchors.find((name) => op.query.some((parameter) => parameter.name === name))
      if (own) named[own] = this.#spell(anchor, own, isById)
    }
    const query = op.query.flatMap((parameter) => this.#parameter(op, parameter, named, anchor, role))
    const body =
      op.body?.type === 'application/octet-stream'
        ? undefined
        : op.body && this.#value(op.body.schema, '', anchor, role)
    const draft: Draft = {
      op,
      method: op.method,
      path,
      query,
      // The description that answers are checked against is that of the newest version.
      headers: { [versionHeader]: newestVersionText, ...role.headers },
      body,
      text: undefined,
    }
    if (op.body) draft.headers['content-type'] = op.body.type
    if (op.method !== 'GET' && chance.odds(5)) draft.headers['if-match'] = `"${chance.between(1, 3)}"`
    if (op.body?.type.startsWith('application/x-www'))
      draft.text = new URLSearchParams(body as Record<string, string>).toString()
    await finish(draft, this.#scene, chance, (table) => this.#near(table, anchor, role))
    return draft
  }

  #table(op: Operation, parameter: string): string {
    if (parameter === 'pool' && /\/(subnet-pools|external-subnets)/.test(op.path)) return 'subnet_pool'
    return tablesOf[op.id.replace(/^plan_/, '')]?.[parameter] ?? tableOf[parameter] ?? parameter
  }

  #anchor(op: Operation, role: Role): Thing | undefined {
    const first = op.pathParams[0]?.name
    const name = first ?? anchors.find((each) => op.query.some((parameter) => parameter.name === each))
    return name === undefined ? undefined : this.#near(this.#table(op, name), undefined, role)
  }

  /** A row of a table, mostly in the caller's silo, or in the same project as another object. */
  #near(table: string, about: Thing | undefined, role: Role): Thing | undefined {
    const all = this.#things.filter(
      (thing) => thing.table === table && (table !== 'external_ip' || thing.name),
    )
    const project = about?.project_id ?? role.project?.id
    const near = all.filter(
      (thing) =>
        (thing.project_id === undefined || project === undefined || thing.project_id === project) &&
        (thing.silo_id === undefined || thing.silo_id === (about?.silo_id ?? role.silo_id)),
    )
    const within = about?.parents.vpc && near.filter((thing) => thing.parents.vpc === about.parents.vpc)
    const mine = near.filter((thing) => ownTables.has(table) && thing.owner_id === role.user_id)
    const best = within && within.length > 0 ? within : mine.length > 0 ? mine : near
    const from = best.length > 0 && this.#chance.odds(85) ? best : all
    return from.length > 0 ? this.#chance.pick(from) : undefined
  }

  #spell({ id, name }: Thing, parameter: string, isById: boolean): string {
    return name === undefined || byId.test(parameter) || (isById && !parameter.endsWith('_name')) ? id : name
  }

  #parameter(
    op: Operation,
    { name, required, schema }: Parameter,
    named: Record<string, string>,
    anchor: Thing | undefined,
    role: Role,
  ): [string, string][] {
    const chance = this.#chance
    const given = named[name]
    if (given !== undefined) return [[name, given]]
    if (name === 'page_token') {
      const tokens = this.tokens.get(op.id)
      return tokens && chance.odds(20) ? [[name, chance.pick(tokens)]] : []
    }
    if (name in tableOf) {
      const thing = required || chance.odds(15) ? this.#near(this.#table(op, name), anchor, role) : undefined
      return thing ? [[name, this.#spell(thing, name, chance.odds(30))]] : []
    }
    if (!required && !chance.odds(name === 'limit' ? 40 : 15)) return []
    if (name === 'limit') return [[name, String(chance.pick([1, 2, 5, 50]))]]
    if (name === 'text' || name === 'name') return [[name, chance.pick(['v', 'vm', 'play', 'disk-'])]]
    if (name === 'since') return [[name, String(chance.below(200))]]
    const value = this.#value(schema, name, anchor, role)
    return value === null || value === undefined
      ? []
      : [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
  }

  #value(given: Schema, key: string, anchor: Thing | undefined, role: Role, around = ''): unknown {
    const chance = this.#chance
    const reference = given.$ref?.split('/').at(-1) ?? ''
    const table = this.#referenced(key, around)
    if (
      table !== undefined &&
      (reference === 'Name' || reference === 'NameOrId' || given.format === 'uuid')
    ) {
      const thing = this.#near(key === 'identity_id' && chance.odds(30) ? 'silo_group' : table, anchor, role)
      if (thing)
        return this.#spell(
          thing,
          given.format === 'uuid' ? 'x_id' : key,
          reference === 'NameOrId' && chance.odds(30),
        )
    }
    if (reference === 'Name') return `${chance.pick(['new', 'more', 'web'])}-${chance.word(6)}`
    const spelling = spelled[reference]
    if (spelling) return spelling(chance)
    const schema = checker.resolve(given)
    const options = schema.oneOf ?? schema.anyOf
    if (options) return this.#value(this.#option(options), key, anchor, role, around)
    if ('const' in schema) return schema.const
    if (schema.enum) return chance.pick(schema.enum)
    const [type] = [schema.type].flat()
    if (type === 'object') return this.#object(schema, anchor, role)
    if (type === 'array') {
      const { minItems = 0, maxItems = 3 } = schema
      const count = chance.between(minItems, Math.min(maxItems, minItems + 2))
      const items = schema.items ?? {}
      const list = Array.from({ length: count }, () => this.#value(items, key, anchor, role, around))
      return schema.uniqueItems ? [...new Set(list)] : list
    }
    if (type === 'boolean') return chance.odds(50)
    if (type === 'integer' || type === 'number')
      return chance.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 100, (schema.minimum ?? 0) + 100))
    return this.#text(schema, key)
  }

  #option(options: readonly Schema[]): Schema {
    const real = options.filter(({ type }) => type !== 'null')
    return this.#chance.odds(20) ? this.#chance.pick(options) : this.#chance.pick(real)
  }

  #referenced(key: string, around: string): string | undefined {
    if (key === 'value') return tableOf[around]
    if (key === 'name' && around === 'attach') return 'disk'
    if (key === 'id' && around === 'snapshot') return 'snapshot'
    return key === 'name' ? undefined : tableOf[key]
  }

  #object(schema: Schema, anchor: Thing | undefined, role: Role): Record<string, unknown> {
    const { properties = {}, required = [] } = schema
    const type = properties.type && checker.resolve(properties.type).const
    const fields = Object.entries(properties).filter(
      ([key]) => required.includes(key) || this.#chance.odds(30),
    )
    return Object.fromEntries(
      fields.map(([key, inner]) => [
        key,
        this.#value(inner, key, anchor, role, typeof type === 'string' ? type : ''),
      ]),
    )
  }

  #text({ format }: Schema, key: string): string {
    const chance = this.#chance
    const { certificate, idp, user, acs_url } = this.#scene
    const texts: Record<string, () => string> = {
      cert: () => certificate.cert,
      key: () => certificate.key,
      public_key: () => `ssh-ed25519 AAAA${chance.word()}`,
      user_data: () => btoa(chance.word()),
      base64_encoded_data: () => btoa('\0'.repeat(512 * chance.between(0, 2))),
      endpoint: () => 'https://pager.example/hook',
      subscription: () => chance.pick(['issue.*.began', 'issue.**', 'probe']),
      subscriptions: () => chance.pick(['issue.*.ended', 'issue.**']),
      secret: () => `a secret of ${chance.word(24)}`,
      secrets: () => `a secret of ${chance.word(24)}`,
      query: () =>
        chance.pick([
          'get virtual_machine:vcpu_usage | filter timestamp > @now() - 1h',
          'get collection_target:cpus_provisioned | last 1',
        ]),
      url: () => chance.pick(['http://127.0.0.1:1/', 'https://idp.example/metadata']),
      data: () => btoa(idp.metadata),
      idp_entity_id: () => idp.entityId,
      acs_url: () => acs_url,
      username: () => user.name,
      user_code: () => 'BCD-FGHJK',
    }
    if (format === 'uuid') return crypto.randomUUID()
    if (format === 'date-time') return new Date(Date.now() - chance.below(30 * 86_400_000)).toISOString()
    if (format === 'ip')
      return chance.pick([
        `172.30.0.${chance.between(5, 250)}`,
        `198.51.100.${chance.between(1, 254)}`,
        'fd00::5',
      ])
    return texts[key]?.() ?? `text ${chance.word()}`
  }
}
