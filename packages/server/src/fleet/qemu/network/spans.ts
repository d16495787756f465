import { knownNet } from '@gantry/api/base/ip.rules'
import { formatIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'

/** IPv4 addresses as numbers, from first to last. */
export interface Span {
  first: number
  last: number
}
export interface ValuedSpan<Value> extends Span {
  value: Value
}

export function spanOf(block: string): Span {
  const { first, last } = knownNet(block.includes('/') ? block : `${block}/32`)
  return { first: Number(first), last: Number(last) }
}

/** As nftables spells it. */
export const formatSpan = ({ first, last }: Span): string =>
  first === last ? formatIpv4(first) : `${formatIpv4(first)}-${formatIpv4(last)}`

/** Disjoint spans in ascending order that give each address the value of the narrowest block around it. */
export function narrowest<Value>(
  blocks: readonly { block: string; value: Value }[],
): readonly ValuedSpan<Value>[] {
  // Blocks are nested or disjoint, so that those around the current address form a stack.
  const around: ValuedSpan<Value>[] = []
  const spans: ValuedSpan<Value>[] = []
  let next = 0
  const fillTo = (last: number): void => {
    const top = around.at(-1)
    if (top && next <= last) spans.push({ first: next, last, value: top.value })
    next = Math.max(next, last + 1)
  }
  const leaveBefore = (first: number): void => {
    for (let top = around.at(-1); top && top.last < first; top = around.at(-1)) {
      fillTo(top.last)
      around.pop()
    }
  }
  const sorted = blocks
    .map(({ block, value }) => ({ ...spanOf(block), value }))
    .sort((one, other) => one.first - other.first || other.last - one.last)
  for (const span of sorted) {
    leaveBefore(span.first)
    if (span.first > 0) fillTo(span.first - 1)
    around.push(span)
  }
  leaveBefore(Infinity)
  return spans
}

/** The parts of a span outside of others. */
export function outside(span: Span, others: readonly Span[]): Span[] {
  return others.reduce<Span[]>(
    (parts, other) =>
      parts.flatMap((part) =>
        part.last < other.first || other.last < part.first
          ? [part]
          : [
              { first: part.first, last: other.first - 1 },
              { first: other.last + 1, last: part.last },
            ].filter(({ first, last }) => first <= last),
      ),
    [span],
  )
}

/** The parts of a span inside of others, which are disjoint. */
export const inside = (span: Span, others: readonly Span[]): Span[] =>
  others
    .map((other) => ({
      first: Math.max(span.first, other.first),
      last: Math.min(span.last, other.last),
    }))
    .filter(({ first, last }) => first <= last)

/** In ascending order, with neighbours of the same value joined. */
export function joined<Value>(spans: readonly ValuedSpan<Value>[]): ValuedSpan<Value>[] {
  const result: ValuedSpan<Value>[] = []
  for (const span of [...spans].sort((one, other) => one.first - other.first)) {
    const last = result.at(-1)
    if (last?.value === span.value && last.last + 1 === span.first) last.last = span.last
    else result.push({ ...span })
  }
  return result
}
