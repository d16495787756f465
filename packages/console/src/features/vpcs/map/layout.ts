import { firstOf } from '@gantry/api/base/text.rules'
import { sentenceCase } from '#/ui/data/format.ts'
import type { MapInstance, MapRouter, MapSubnet, VpcMap } from './model.ts'

/*
 * The layout of a VPC's drawing: subnets with their instances at the left, routers in the middle, internet gateways
 * at the right, and lines between them. Measures are pixels at the default text size.
 */

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface SubnetBox extends Box {
  subnet: MapSubnet
  chips: readonly (Box & { instance: MapInstance })[]
  /** Instances without room. */
  rest: (Box & { count: number; states: string }) | undefined
}

export interface Line {
  id: string
  path: string
  /** A router serves a subnet, routes to a gateway, or routes through an instance. */
  kind: 'serves' | 'exit' | 'through'
  label?: { x: number; y: number; text: string }
}

export interface Layout {
  width: number
  height: number
  subnets: readonly SubnetBox[]
  routers: readonly (Box & { router: MapRouter })[]
  gateways: readonly (Box & { gateway: VpcMap['gateways'][number] })[]
  lines: readonly Line[]
}

const edge = 1
const gap = 20
const subnetWidth = 340
const subnetHead = 66
const chip = { width: 156, height: 28, gap: 8, perRow: 2 }
const pad = 10
/** The limit of instances drawn in a subnet; beyond it, the last position counts the others. */
export const maxChips = 8
const node = { width: 172, height: 54 }
const lane = 96
const exitLane = 176
const labelLength = 22

export function layoutOf(map: VpcMap): Layout {
  const subnets = stackSubnets(map.subnets)
  const routerX = edge + subnetWidth + lane
  const routers = stack(
    map.routers,
    ({ id }) => middle(subnets.filter(({ subnet }) => subnet.routerId === id)),
    routerX,
  ).map(({ item, ...box }) => ({ ...box, router: item }))
  const gateways = stack(
    map.gateways,
    ({ id }) =>
      middle(routers.filter(({ router }) => router.exits.some(({ gatewayId }) => gatewayId === id))),
    routerX + node.width + exitLane,
  ).map(({ item, ...box }) => ({ ...box, gateway: item }))
  const all: Box[] = [...subnets, ...routers, ...gateways]
  return {
    width: Math.max(...all.map(({ x, width }) => x + width), subnetWidth) + edge,
    height: Math.max(...all.map(({ y, height }) => y + height), node.height) + edge,
    subnets,
    routers,
    gateways,
    lines: linesOf(subnets, routers, gateways),
  }
}

function stackSubnets(subnets: readonly MapSubnet[]): SubnetBox[] {
  let y = edge
  return subnets.map((subnet) => {
    const box = subnetBox(subnet, y)
    y += box.height + gap
    return box
  })
}

function subnetBox(subnet: MapSubnet, y: number): SubnetBox {
  const { instances } = subnet
  const isFull = instances.length > maxChips
  const shown = isFull ? instances.slice(0, maxChips - 1) : instances
  const rest = instances.slice(shown.length)
  const places = shown.length + (isFull ? 1 : 0)
  const rows = Math.ceil(places / chip.perRow)
  return {
    x: edge,
    y,
    width: subnetWidth,
    height: subnetHead + (rows > 0 ? rows * (chip.height + chip.gap) + pad - chip.gap : 0),
    subnet,
    chips: shown.map((instance, index) => ({ ...chipBox(index, y), instance })),
    rest: isFull ? { ...chipBox(shown.length, y), count: rest.length, states: statesOf(rest) } : undefined,
  }
}

const chipBox = (index: number, subnetY: number): Box => ({
  x: edge + pad + (index % chip.perRow) * (chip.width + chip.gap),
  y: subnetY + subnetHead + Math.floor(index / chip.perRow) * (chip.height + chip.gap),
  width: chip.width,
  height: chip.height,
})

/** `190 running, 3 stopped`: the most frequent first. */
function statesOf(instances: readonly MapInstance[]): string {
  const counts = new Map<string, number>()
  for (const { state } of instances) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([state, count]) => `${count} ${sentenceCase(state).toLowerCase()}`)
    .join(', ')
}

/** The vertical centre of some boxes; undefined without any. */
const middle = (boxes: readonly Box[]): number | undefined =>
  boxes.length === 0
    ? undefined
    : boxes.reduce((sum, { y, height }) => sum + y + height / 2, 0) / boxes.length

/** Stacks items, each as near to its preferred height as those above allow; items without preference come last. */
function stack<Item>(items: readonly Item[], wish: (item: Item) => number | undefined, x: number) {
  const wanted = items.map((item) => ({ item, at: wish(item) ?? Number.POSITIVE_INFINITY }))
  wanted.sort((one, other) => (one.at === other.at ? 0 : one.at - other.at))
  let free = edge
  return wanted.map(({ item, at }) => {
    const y = Number.isFinite(at) ? Math.max(free, Math.round(at - node.height / 2)) : free
    free = y + node.height + gap
    return { item, x, y, ...node }
  })
}

function linesOf(
  subnets: Layout['subnets'],
  routers: Layout['routers'],
  gateways: Layout['gateways'],
): Line[] {
  return routers.flatMap((box) => {
    const { router } = box
    const serves = subnets
      .filter(({ subnet }) => subnet.routerId === router.id)
      .map((from): Line => ({
        id: `${from.subnet.id}>${router.id}`,
        kind: 'serves',
        path: curve(right(from), left(box)),
      }))
    const through = subnets
      .filter(({ subnet }) => router.through.includes(subnet.id))
      .map((to): Line => ({
        id: `${router.id}>${to.subnet.id}`,
        kind: 'through',
        path: curve(lower(right(to)), lower(left(box))),
      }))
    const exits = router.exits.flatMap(({ gatewayId, destinations }): Line[] => {
      const to = gateways.find(({ gateway }) => gateway.id === gatewayId)
      if (!to) return []
      const [start, end] = [right(box), left(to)]
      return [
        {
          id: `${router.id}>${gatewayId}`,
          kind: 'exit',
          path: curve(start, end),
          label: {
            x: (start.x + end.x) / 2,
            y: (start.y + end.y) / 2,
            text: destinationText(destinations),
          },
        },
      ]
    })
    return [...serves, ...through, ...exits]
  })
}

interface Point {
  x: number
  y: number
}
const left = ({ x, y, height }: Box): Point => ({ x, y: y + height / 2 })
const right = ({ x, y, width, height }: Box): Point => ({ x: x + width, y: y + height / 2 })
/** Beside the existing line. */
const lower = ({ x, y }: Point): Point => ({ x, y: y + 14 })

/** Horizontal at both ends. */
function curve(from: Point, to: Point): string {
  const bend = (from.x + to.x) / 2
  return `M${from.x} ${from.y}C${bend} ${from.y} ${bend} ${to.y} ${to.x} ${to.y}`
}

/** As many destinations as fit, and the number of others. */
function destinationText(destinations: readonly string[]): string {
  let text = ''
  for (const [index, destination] of destinations.entries()) {
    const longer = text ? `${text}, ${destination}` : destination
    if (text && longer.length > labelLength) return `${text} +${destinations.length - index}`
    text = cut(longer, labelLength)
  }
  return text
}

/** SVG has no truncation of text with an ellipsis. */
export const cut = (text: string, length: number): string =>
  Array.from(text).length > length ? `${firstOf(text, length - 1)}…` : text
