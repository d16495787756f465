import { blockProblem } from '@gantry/api/rack-network/address-lot.rules'
import { isIp } from '@gantry/api/base/ip.rules'

interface Block {
  firstAddress: string
  lastAddress: string
}

/** The blocks of a text, one per line: `192.0.2.1-192.0.2.9`, or a single address. */
export const blocksOf = (text: string): Block[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [firstAddress = '', lastAddress = firstAddress] = line.split('-').map((each) => each.trim())
      return { firstAddress, lastAddress }
    })

/** The problem with the first invalid block. */
export function blocksProblem(text: string): string | undefined {
  const blocks = blocksOf(text)
  if (blocks.length === 0) return 'Enter at least one block'
  for (const { firstAddress, lastAddress } of blocks) {
    const wrong = [firstAddress, lastAddress].find((each) => !isIp(each))
    if (wrong !== undefined) return `${wrong || 'An empty text'} is not an IP address`
    const problem = blockProblem(firstAddress, lastAddress)
    if (problem) return `${firstAddress}-${lastAddress}: ${problem}`
  }
  return undefined
}
