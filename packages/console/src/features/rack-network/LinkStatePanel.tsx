import { useQuery } from '@tanstack/react-query'
import { deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { type PlacedPort, portStatus } from './queries.ts'

const reportClass = 'overflow-x-auto rounded-block border border-line p-3.5 font-mono text-[0.8125rem]'

/** The state of a port's links as reported by the switch, in a form that the API does not define. */
export function LinkStatePanel({ port, onClose }: { port: PlacedPort; onClose: () => void }) {
  const status = deferredOf(useQuery(portStatus(port)))
  return (
    <ViewPanel title="Link state" context={`Port ${port.place}`} closeTo={onClose}>
      <DeferredValue
        of={status}
        render={(reported) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long line scrolls
          <pre tabIndex={0} aria-label="Link state" className={reportClass}>
            {JSON.stringify(reported, null, 2)}
          </pre>
        )}
      />
    </ViewPanel>
  )
}
