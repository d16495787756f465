import {
  type GuestAgentOffer,
  guestAgentOffers,
  type GuestReport,
  guestReportLimits as limits,
  guestWords,
} from '@gantry/api/compute/guest-agent.rules'
import { z } from 'zod'
import { type AgentCommand, AgentRefusal, type Conversation } from './conversation.ts'

const words = z.string().transform(guestWords)
/** Each item that has the shape; the rest of a longer list is left unread. */
const some = <Item>(item: z.ZodType<Item>, max: number) =>
  z.array(z.unknown()).transform((all) => ({
    items: all.slice(0, max).flatMap((one) => {
      const parsed = item.safeParse(one)
      return parsed.success ? [parsed.data] : []
    }),
    isMore: all.length > max,
  }))

const commands: Readonly<Record<GuestAgentOffer, AgentCommand>> = {
  freeze: 'guest-fsfreeze-freeze',
  shutdown: 'guest-shutdown',
  password: 'guest-set-user-password',
  ssh_keys: 'guest-ssh-add-authorized-keys',
}
/** More than agents have. */
const COMMANDS_MAX = 500

const info = z.object({
  version: words,
  supported_commands: some(z.object({ name: z.string().max(100), enabled: z.boolean() }), COMMANDS_MAX),
})
const system = z.object({ 'pretty-name': words.optional(), 'kernel-release': words.optional() })
const host = z.object({ 'host-name': words })
const address = z
  .object({
    'ip-address': z
      .string()
      .max(64)
      .pipe(z.union([z.ipv4(), z.ipv6()])),
    prefix: z.int().min(0).max(128),
  })
  .transform((one) => `${one['ip-address']}/${one.prefix}`)
const networkInterface = z.object({
  name: words,
  'hardware-address': z
    .string()
    .regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i)
    .optional()
    .catch(undefined),
  'ip-addresses': some(address, limits.addresses).optional(),
})
const bytes = z.int().nonnegative().optional().catch(undefined)
const fileSystem = z.object({ mountpoint: words, type: words, 'used-bytes': bytes, 'total-bytes': bytes })

/** Asks for all that is shown. What an agent does not offer is skipped. */
export async function reportOf(agent: Conversation): Promise<GuestReport> {
  const { version, supported_commands: supported } = await agent.ask(info, 'guest-info')
  const enabled = new Set<string>(supported.items.flatMap(({ name, enabled: is }) => (is ? [name] : [])))
  const ask = <Answer>(answer: z.ZodType<Answer>, command: AgentCommand): Promise<Answer | undefined> =>
    enabled.has(command) ? unlessRefused(agent.ask(answer, command)) : Promise.resolve(undefined)
  const about = await ask(system, 'guest-get-osinfo')
  const name = await ask(host, 'guest-get-host-name')
  const interfaces = await ask(some(networkInterface, limits.interfaces), 'guest-network-get-interfaces')
  const mounted = await ask(some(fileSystem, limits.file_systems), 'guest-get-fsinfo')
  return {
    agent_version: version,
    hostname: name?.['host-name'] ?? null,
    os: about?.['pretty-name'] ?? null,
    kernel: about?.['kernel-release'] ?? null,
    interfaces: (interfaces?.items ?? []).map((one) => ({
      name: one.name,
      mac: one['hardware-address'] ?? null,
      addresses: one['ip-addresses']?.items ?? [],
    })),
    file_systems: (mounted?.items ?? []).map((one) => ({
      mount_point: one.mountpoint,
      type: one.type,
      size: one['total-bytes'] ?? null,
      used: one['used-bytes'] ?? null,
    })),
    offers: guestAgentOffers.filter((offer) => enabled.has(commands[offer])),
    is_truncated:
      (interfaces?.isMore ?? false) ||
      (mounted?.isMore ?? false) ||
      (interfaces?.items.some((one) => one['ip-addresses']?.isMore) ?? false),
  }
}

const unlessRefused = <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof AgentRefusal) return undefined
    throw error
  })
