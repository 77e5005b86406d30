// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A continuous market of limit orders, executed in price-time priority.
///
/// It reports each change of an order in the sequence of matching-core/doc/matching-rules.md. Its reports can be
/// compared with those of the matching core one by one.
///
/// Left out: replace, market orders, fill-or-kill, orders that are good for the day, accounts, the numbers of batches.
/// A batch with an entry that is left out is reverted.
contract OrderBook {
    /// Codes of ExecType (FIX tag 150).
    uint8 private constant NEW = 0x30;
    uint8 private constant CANCELED = 0x34;
    uint8 private constant REJECTED = 0x38;
    uint8 private constant TRADE = 0x46;
    uint8 private constant CANCEL_REJECT = 0x39;

    /// Entry: action 1, side 1, ordType 1, timeInForce 1, instrument 4, clOrdId 8, origClOrdId 8, price 8, quantity 8
    /// bytes; characters are those of an OrderBatch.
    uint256 private constant ENTRY_LENGTH = 40;
    uint8 private constant ACTION_NEW = 0x44;
    uint8 private constant ACTION_CANCEL = 0x46;
    uint8 private constant BUY = 0x31;
    uint8 private constant SELL = 0x32;
    uint8 private constant LIMIT = 0x32;
    uint8 private constant GOOD_TILL_CANCEL = 0x31;
    uint8 private constant IMMEDIATE_OR_CANCEL = 0x33;

    struct Instrument {
        uint64 priceMin;
        uint64 priceMax;
        uint64 quantityMax;
    }

    /// A resting order: one slot of values, one of links. The key of an order is broker << 64 | clOrdId.
    struct Resting {
        uint64 leaves;
        uint64 price;
        uint32 instrument;
        bool isBuy;
        uint96 previous;
        uint96 next;
    }

    /// The orders of one price in arrival order.
    struct Level {
        uint96 first;
        uint96 last;
    }

    struct Entry {
        uint32 broker;
        uint8 action;
        bool isBuy;
        bool rests;
        uint32 instrument;
        uint64 clOrdId;
        uint64 origClOrdId;
        uint64 price;
        uint64 quantity;
    }

    event Report(uint8 execType, uint32 broker, uint64 clOrdId, uint64 lastPx, uint64 lastQty, uint64 leaves);

    error Unsupported(uint8 action, uint8 ordType, uint8 timeInForce);

    address private immutable operator = msg.sender;
    mapping(uint256 => Instrument) private instruments;
    mapping(uint256 => Resting) private orders;
    mapping(uint256 => Level) private levels;
    /// A bit for each price with orders: word price >> 8, of a side.
    mapping(uint256 => uint256) private prices;
    /// A bit for each word of prices that is not 0: word price >> 16, of a side.
    mapping(uint256 => uint256) private words;

    modifier onlyOperator() {
        require(msg.sender == operator, "not the operator");
        _;
    }

    function list(uint32 instrument, uint64 priceMin, uint64 priceMax, uint64 quantityMax) external onlyOperator {
        instruments[instrument] = Instrument(priceMin, priceMax, quantityMax);
    }

    /// Executes the entries of a batch in order.
    function execute(uint32 broker, bytes calldata batch) external onlyOperator {
        Entry memory entry;
        entry.broker = broker;
        for (uint256 offset = 0; offset < batch.length; offset += ENTRY_LENGTH) {
            read(batch[offset:offset + ENTRY_LENGTH], entry);
            if (entry.action == ACTION_CANCEL) {
                cancel(entry);
            } else {
                enter(entry);
            }
        }
    }

    function read(bytes calldata bytes_, Entry memory entry) private pure {
        uint256 head = uint256(bytes32(bytes_));
        entry.action = uint8(head >> 248);
        uint8 side = uint8(head >> 240);
        uint8 ordType = uint8(head >> 232);
        uint8 timeInForce = uint8(head >> 224);
        entry.instrument = uint32(head >> 192);
        entry.clOrdId = uint64(head >> 128);
        entry.origClOrdId = uint64(head >> 64);
        entry.price = uint64(head);
        entry.quantity = uint64(bytes8(bytes_[32:40]));
        entry.isBuy = side == BUY;
        entry.rests = timeInForce == GOOD_TILL_CANCEL;
        bool isNew = entry.action == ACTION_NEW && (side == BUY || side == SELL) && ordType == LIMIT
            && (entry.rests || timeInForce == IMMEDIATE_OR_CANCEL);
        if (!isNew && entry.action != ACTION_CANCEL) {
            revert Unsupported(entry.action, ordType, timeInForce);
        }
    }

    function cancel(Entry memory entry) private {
        uint96 key = orderKey(entry.broker, entry.origClOrdId);
        Resting storage order = orders[key];
        if (order.leaves == 0 || order.instrument != entry.instrument) {
            emit Report(CANCEL_REJECT, entry.broker, entry.clOrdId, 0, 0, 0);
            return;
        }
        remove(key, order);
        emit Report(CANCELED, entry.broker, entry.clOrdId, 0, 0, 0);
    }

    function enter(Entry memory entry) private {
        uint96 key = orderKey(entry.broker, entry.clOrdId);
        if (!isAcceptable(entry) || orders[key].leaves != 0) {
            emit Report(REJECTED, entry.broker, entry.clOrdId, 0, 0, 0);
            return;
        }
        emit Report(NEW, entry.broker, entry.clOrdId, 0, 0, entry.quantity);
        uint64 leaves = matchAgainst(entry);
        if (leaves == 0) {
            return;
        }
        if (entry.rests) {
            rest(key, entry, leaves);
        } else {
            emit Report(CANCELED, entry.broker, entry.clOrdId, 0, 0, 0);
        }
    }

    function isAcceptable(Entry memory entry) private view returns (bool) {
        Instrument memory instrument = instruments[entry.instrument];
        return entry.clOrdId != 0 && entry.origClOrdId == 0 && entry.price >= instrument.priceMin
            && entry.price <= instrument.priceMax && entry.quantity != 0 && entry.quantity <= instrument.quantityMax;
    }

    /// Takes resting orders of the other side at the limit or better; returns what is left.
    function matchAgainst(Entry memory entry) private returns (uint64 leaves) {
        leaves = entry.quantity;
        bool isMakerBuy = !entry.isBuy;
        uint256 side = sideKey(entry.instrument, isMakerBuy);
        Instrument memory instrument = instruments[entry.instrument];
        while (leaves != 0) {
            (bool exists, uint64 price) = best(side, isMakerBuy, instrument);
            if (!exists || (entry.isBuy ? price > entry.price : price < entry.price)) {
                return leaves;
            }
            Level storage level = levels[side | price];
            while (leaves != 0) {
                uint96 makerKey = level.first;
                if (makerKey == 0) {
                    break;
                }
                Resting storage maker = orders[makerKey];
                uint64 makerLeaves = maker.leaves;
                uint64 quantity = leaves < makerLeaves ? leaves : makerLeaves;
                leaves -= quantity;
                makerLeaves -= quantity;
                emit Report(TRADE, entry.broker, entry.clOrdId, price, quantity, leaves);
                emit Report(TRADE, uint32(makerKey >> 64), uint64(makerKey), price, quantity, makerLeaves);
                if (makerLeaves == 0) {
                    remove(makerKey, maker);
                } else {
                    maker.leaves = makerLeaves;
                }
            }
        }
    }

    function rest(uint96 key, Entry memory entry, uint64 leaves) private {
        uint256 side = sideKey(entry.instrument, entry.isBuy);
        Level storage level = levels[side | entry.price];
        uint96 previous = level.last;
        orders[key] = Resting(leaves, entry.price, entry.instrument, entry.isBuy, previous, 0);
        if (previous == 0) {
            level.first = key;
            uint256 word = entry.price >> 8;
            prices[side | word] |= 1 << (entry.price & 0xff);
            words[side | (word >> 8)] |= 1 << (word & 0xff);
        } else {
            orders[previous].next = key;
        }
        level.last = key;
    }

    function remove(uint96 key, Resting storage order) private {
        uint256 side = sideKey(order.instrument, order.isBuy);
        uint64 price = order.price;
        uint96 previous = order.previous;
        uint96 next = order.next;
        Level storage level = levels[side | price];
        if (previous == 0) {
            level.first = next;
        } else {
            orders[previous].next = next;
        }
        if (next == 0) {
            level.last = previous;
        } else {
            orders[next].previous = previous;
        }
        if (previous == 0 && next == 0) {
            uint256 word = price >> 8;
            uint256 bits = prices[side | word] & ~(uint256(1) << (price & 0xff));
            prices[side | word] = bits;
            if (bits == 0) {
                words[side | (word >> 8)] &= ~(uint256(1) << (word & 0xff));
            }
        }
        delete orders[key];
    }

    /// Returns the highest price of a buying side, the lowest of a selling one.
    function best(uint256 side, bool isBuy, Instrument memory instrument) private view returns (bool, uint64) {
        uint256 low = instrument.priceMin >> 16;
        uint256 high = instrument.priceMax >> 16;
        for (uint256 step = 0; step <= high - low; step++) {
            uint256 top = isBuy ? high - step : low + step;
            uint256 bits = words[side | top];
            if (bits != 0) {
                uint256 word = (top << 8) | (isBuy ? highestBit(bits) : lowestBit(bits));
                bits = prices[side | word];
                return (true, uint64((word << 8) | (isBuy ? highestBit(bits) : lowestBit(bits))));
            }
        }
        return (false, 0);
    }

    function highestBit(uint256 bits) private pure returns (uint256 index) {
        unchecked {
            for (uint256 width = 128; width != 0; width >>= 1) {
                if (bits >> width != 0) {
                    bits >>= width;
                    index += width;
                }
            }
        }
    }

    function lowestBit(uint256 bits) private pure returns (uint256) {
        unchecked {
            return highestBit(bits & (0 - bits));
        }
    }

    function orderKey(uint32 broker, uint64 clOrdId) private pure returns (uint96) {
        return (uint96(broker) << 64) | clOrdId;
    }

    /// Returns the upper bits of the keys of levels and words: the lower 64 are a price.
    function sideKey(uint32 instrument, bool isBuy) private pure returns (uint256) {
        return (uint256(instrument) << 72) | (isBuy ? uint256(1) << 64 : 0);
    }
}
