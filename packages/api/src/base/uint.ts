import { z } from 'zod'

const unsigned = (max: number, format: string) => z.number().int().nonnegative().max(max).meta({ format })

export const u8 = unsigned(255, 'uint8')
export const u16 = unsigned(65_535, 'uint16')
export const u32 = unsigned(4_294_967_295, 'uint32')
/** Larger values would lose digits in JavaScript. */
export const u64 = unsigned(Number.MAX_SAFE_INTEGER, 'uint64')
