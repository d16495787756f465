import { classes } from '#/ui/classes.ts'
import type { Fabric } from './queries.ts'
import { portState } from './states.ts'

const tones = {
  ok: 'plate-ok',
  busy: 'plate-busy',
  care: 'plate-busy',
  idle: 'plate-idle',
  gone: '',
  fail: 'plate-fail',
}

type Switch = Fabric['racks'][number]['switches'][number]

/** The front of each switch: its ports in order, and the other ends of their cables. */
export function FabricDrawing({ fabric }: { fabric: Fabric }) {
  return (
    <div className="mb-4 space-y-4">
      {fabric.racks.map(({ id, switches }) => (
        <section
          key={id}
          aria-label={`Rack ${id}`}
          className="space-y-3 rounded-block border border-line bg-page p-3.5"
        >
          {switches.map((each) => (
            <SwitchFront key={each.switchLocation} front={each} />
          ))}
        </section>
      ))}
    </div>
  )
}

function SwitchFront({ front: { switchLocation, serial, ports } }: { front: Switch }) {
  return (
    <div>
      <h2 className="mb-1.5 text-sm">
        {switchLocation} {serial && <span className="font-normal text-muted">{serial}</span>}
      </h2>
      <ul className="grid grid-cols-8 gap-1 md:grid-cols-16">
        {ports.map((port, index) => {
          const { word, family } = portState(port)
          return (
            <li
              key={port.id}
              title={`${port.portName}: ${word}`}
              className={classes(
                'flex h-7 items-center justify-center rounded-tag font-mono text-[0.6875rem]',
                family === 'gone' ? 'border border-faint-line text-muted' : `plate ${tones[family]}`,
              )}
            >
              <span aria-hidden>{index}</span>
              <span className="sr-only">
                {port.portName}: {word}
                {port.neighbor && `, cable to ${port.neighbor.systemName}`}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
