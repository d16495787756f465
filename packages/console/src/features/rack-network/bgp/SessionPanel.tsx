import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { peerFamily, stateWord } from '../states.ts'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { type Message, messagesIn } from './messages.ts'
import { exportedNetworks, importedRoutes, messageHistory, type Session } from './queries.ts'

const networkColumns = [{ header: 'Network', cell: (network: string) => <Mono>{network}</Mono> }]
const messageColumns = [
  { header: 'Time', cell: ({ time }: Message) => <DateTime value={time} /> },
  { header: 'Message', cell: ({ direction, type }: Message) => `${type} ${direction}` },
  { header: 'Contents', cell: ({ details }: Message) => details },
]

/** A session in full: announced and learned routes, and the last messages. */
export function SessionPanel({ session, onClose }: { session: Session; onClose: () => void }) {
  const { addr, peerId, localAsn, remoteAsn, state } = session
  const exported = deferredOf(useQuery(exportedNetworks))
  const imported = deferredOf(useQuery(importedRoutes(localAsn)))
  const history = deferredOf(useQuery(messageHistory(localAsn)))
  return (
    <ViewPanel title={peerId} context={`BGP session on ${session.switch}`} closeTo={onClose}>
      <DataPlate narrow>
        <DataItem label="State">
          <StatePlate family={peerFamily(session)}>{stateWord(state)}</StatePlate>
        </DataItem>
        <DataItem label="Switch">{session.switch}</DataItem>
        {addr !== peerId && <DataItem label="Address">{addr}</DataItem>}
        <DataItem label="Local AS">{localAsn}</DataItem>
        <DataItem label="Remote AS">{remoteAsn}</DataItem>
      </DataPlate>
      <Section title="Announced networks">
        <DeferredValue
          of={exported}
          render={(networks) => (
            <MiniTable
              label="Announced networks"
              columns={networkColumns}
              items={networks
                .filter((each) => each.peerId === peerId && each.switch === session.switch)
                .map(({ prefix }) => prefix)}
              itemKey={(network) => network}
              empty="No networks announced to this peer."
            />
          )}
        />
      </Section>
      <Section title="Learned networks">
        <DeferredValue
          of={imported}
          render={(routes) => (
            <MiniTable
              label="Learned networks"
              columns={networkColumns}
              items={routes
                .filter((route) => route.nexthop === addr && route.switch === session.switch)
                .map(({ prefix }) => prefix)}
              itemKey={(network) => network}
              empty="No networks learned from this peer."
            />
          )}
        />
      </Section>
      <Section title="Messages">
        <DeferredValue
          of={history}
          render={({ switchHistories }) => (
            <Messages
              messages={messagesIn(
                switchHistories.find((each) => each.switch === session.switch)?.history[addr],
              )}
            />
          )}
        />
      </Section>
    </ViewPanel>
  )
}

/** Messages have no id, and keepalives within a second are identical. */
function Messages({ messages }: { messages: readonly Message[] }) {
  const numbered = messages.map((message, index) => ({ ...message, index }))
  return (
    <MiniTable
      label="Messages"
      columns={messageColumns}
      items={numbered}
      itemKey={({ index }) => String(index)}
      empty="No messages exchanged with this peer."
    />
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="space-y-2">
    <h3 className="text-md">{title}</h3>
    {children}
  </section>
)

const Mono = ({ children }: { children: ReactNode }) => (
  <span className="font-mono text-[0.8125rem]">{children}</span>
)
