import { type ReactNode, useMemo } from 'react'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { InstanceDrawing } from '#/features/instances/parts.tsx'
import { plural, sentenceCase } from '#/ui/data/format.ts'
import { gatewayLink, routerLink, subnetLink, vpcLink } from '../links.ts'
import { type Box, cut, layoutOf, type Line, type SubnetBox } from './layout.ts'
import type { MapRouter, VpcMap } from './model.ts'

interface VpcScope {
  project: string
  vpc: string
}

/** Letters that fit, by kind of box. */
const fits = { chip: 17, node: 20, subnet: 42 }

/**
 * A picture of a VPC whose names are links. It keeps its size and scrolls where there is less room; its measures
 * scale with the user's text size.
 */
export function MapDrawing({ project, vpc, map }: VpcScope & { map: VpcMap }) {
  const layout = useMemo(() => layoutOf(map), [map])
  const { width, height } = layout
  const place = { project, vpc }
  return (
    // Focusable, so that the arrow keys can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={`Map of VPC ${vpc}`} tabIndex={0} className="overflow-x-auto pb-2">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: `${width / 16}rem`, height: `${height / 16}rem` }}
        fontSize="13"
        className="max-w-none text-text forced:[--surface-page:Canvas] forced:[--surface-raised:Canvas]"
      >
        {layout.lines.map((line) => (
          <RouteLine key={line.id} line={line} />
        ))}
        {layout.subnets.map((box) => (
          <Subnet key={box.subnet.id} {...place} box={box} />
        ))}
        {layout.routers.map((box) => (
          <Node
            key={box.router.id}
            box={box}
            link={routerLink(project, vpc, box.router.name)}
            kind="Router"
            name={box.router.name}
            note={routerNote(box.router)}
          />
        ))}
        {layout.gateways.map((box) => (
          <Node
            key={box.gateway.id}
            box={box}
            link={gatewayLink(project, vpc, box.gateway.name)}
            kind="Internet gateway"
            name={box.gateway.name}
            note="Internet gateway"
          />
        ))}
      </svg>
    </div>
  )
}

const routerNote = ({ kind, routes }: MapRouter): string =>
  `${sentenceCase(kind)} router · ${routes.length} ${plural('route', routes.length)}`

const dashes = { serves: undefined, exit: undefined, through: '5 4' }

function RouteLine({ line: { path, kind, label } }: { line: Line }) {
  return (
    <g aria-hidden>
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth={kind === 'exit' ? 2 : 1.5}
        strokeDasharray={dashes[kind]}
        className={kind === 'exit' ? 'text-muted' : 'text-control-line'}
      />
      {label && (
        <>
          <rect {...boxOf(label)} fill="var(--surface-page)" />
          <text
            x={label.x}
            y={label.y + 4}
            textAnchor="middle"
            fontSize="12"
            fill="currentColor"
            className="font-mono text-muted"
          >
            {label.text}
          </text>
        </>
      )}
    </g>
  )
}

/** Advance of a letter in mono at 12 px. */
const letterWidth = 7.3

/** The part of the line that a label covers. */
function boxOf({ x, y, text }: { x: number; y: number; text: string }): Box {
  const width = text.length * letterWidth + 8
  return { x: x - width / 2, y: y - 9, width, height: 18 }
}

function Frame({ box: { x, y, width, height }, round = 7 }: { box: Box; round?: number }) {
  return (
    <rect
      x={x}
      y={y}
      width={width}
      height={height}
      rx={round}
      fill="var(--surface-raised)"
      stroke="currentColor"
      className="text-control-line"
    />
  )
}

interface NamedProps {
  link: LinkTarget
  x: number
  y: number
  name: string
  length: number
  /** The accessible name, where the name alone is ambiguous. */
  label: string
  /** Drawn below the name, as part of the link. */
  children?: ReactNode
}

/** A name as a link. The title holds the full text of a truncated name. */
function Name({ link, x, y, name, length, label, children }: NamedProps) {
  return (
    <PageLink {...link} aria-label={label}>
      <title>{label}</title>
      {children}
      <text x={x} y={y} fill="currentColor" className="name">
        {cut(name, length)}
      </text>
    </PageLink>
  )
}

function Subnet({ project, vpc, box }: VpcScope & { box: SubnetBox }) {
  const { subnet, chips, rest, x, y } = box
  return (
    <g>
      <Frame box={box} />
      <Name
        link={subnetLink(project, vpc, subnet.name)}
        x={x + 12}
        y={y + 21}
        name={subnet.name}
        length={fits.subnet}
        label={`Subnet ${subnet.name}`}
      />
      {subnet.blocks.map((block, line) => (
        <text
          key={block}
          x={x + 12}
          y={y + 39 + line * 16}
          fontSize="12"
          fill="currentColor"
          className="font-mono text-muted"
        >
          {block}
        </text>
      ))}
      {chips.map(({ instance, ...at }) => (
        <Name
          key={instance.id}
          link={instanceLink(project, instance.name, 'networking')}
          x={at.x + 26}
          y={at.y + 18.5}
          name={instance.name}
          length={fits.chip}
          label={`${instance.name}, ${sentenceCase(instance.state)}, ${instance.ip}`}
        >
          <Frame box={at} round={5} />
          <g transform={`translate(${at.x + 8} ${at.y + 8})`}>
            <InstanceDrawing state={instance.state} />
          </g>
        </Name>
      ))}
      {rest && (
        <Name
          link={{ ...vpcLink(project, vpc, 'map'), search: { view: 'table' } }}
          x={rest.x + 8}
          y={rest.y + 18.5}
          name={`+${rest.count} more`}
          length={fits.chip}
          label={`${rest.count} more in ${subnet.name}: ${rest.states}`}
        />
      )}
    </g>
  )
}

interface NodeProps {
  box: Box
  link: LinkTarget
  kind: string
  name: string
  note: string
}

function Node({ box, link, kind, name, note }: NodeProps) {
  return (
    <g>
      <Frame box={box} />
      <Name
        link={link}
        x={box.x + 12}
        y={box.y + 22}
        name={name}
        length={fits.node}
        label={`${kind} ${name}`}
      />
      <text
        x={box.x + 12}
        y={box.y + 41}
        fontSize="12"
        fill="currentColor"
        className="pointer-events-none text-muted"
      >
        {note}
      </text>
    </g>
  )
}
