import type { PeerReport } from './peers.ts'

interface Message {
  time: string
  direction: 'sent' | 'received'
  message: { type: string } & Record<string, unknown>
}

/** Kept per peer, newest last. */
const kept = 20

/** The messages exchanged with a peer, as far as its session got. */
export function messagesOf(report: PeerReport, now: Date): Message[] {
  const { peer, config, state, since, remote_asn, refusal, exported, imported } = report
  const at = (ms: number): string => new Date(since.getTime() + ms).toISOString()
  const open = (asn: number) => ({ type: 'open', version: 4, asn, hold_time: peer.hold_time })
  if (refusal) return refused(report, now)
  if (state === 'open_sent') return [{ time: at(0), direction: 'sent', message: open(config.asn) }]
  if (state !== 'open_confirm' && state !== 'established') return []
  const opened = state === 'established' ? -1000 : 0
  const messages: Message[] = [
    { time: at(opened - 1000), direction: 'sent', message: open(config.asn) },
    { time: at(opened), direction: 'received', message: open(remote_asn) },
    { time: at(opened), direction: 'sent', message: { type: 'keepalive' } },
  ]
  if (state === 'open_confirm') return messages
  messages.push(
    { time: at(0), direction: 'received', message: { type: 'keepalive' } },
    { time: at(0), direction: 'sent', message: { type: 'update', announced: exported } },
    { time: at(0), direction: 'received', message: { type: 'update', announced: imported } },
  )
  // With a hold time of zero, the session has no timers.
  const everyMs = peer.hold_time === 0 ? 0 : Math.max(1, peer.keepalive) * 1000
  const count = everyMs === 0 ? 0 : Math.floor((now.getTime() - since.getTime()) / everyMs)
  const first = Math.max(1, count - (kept - messages.length) / 2 + 1)
  for (let n = Math.ceil(first); n <= count; n++)
    for (const direction of ['sent', 'received'] as const)
      messages.push({ time: at(n * everyMs), direction, message: { type: 'keepalive' } })
  return messages.slice(-kept)
}

/** Both ends open the session, and one closes it; repeated after a pause. */
function refused({ peer, config, remote_asn, refusal, since }: PeerReport, now: Date): Message[] {
  const everyMs = Math.max(1, peer.idle_hold_time + peer.connect_retry) * 1000
  const last = Math.max(0, Math.floor((now.getTime() - since.getTime()) / everyMs))
  const messages: Message[] = []
  for (let n = Math.max(0, last - 2); n <= last; n++) {
    const time = new Date(since.getTime() + n * everyMs).toISOString()
    const open = { type: 'open', version: 4, hold_time: peer.hold_time }
    messages.push(
      { time, direction: 'sent', message: { ...open, asn: config.asn } },
      { time, direction: 'received', message: { ...open, asn: remote_asn } },
      {
        time,
        direction: 'received',
        message: { type: 'notification', error: refusal?.code, text: refusal?.text },
      },
    )
  }
  return messages
}
