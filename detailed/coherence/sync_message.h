/* sync_message.h - messages of QuickRelease between L1s and L2 slices (req.message), beside
 * accesses and dirty bytes. A marker and an answer go to the slice whose number is their address.
 */
#pragma once

enum sync_message {
    SYNC_MESSAGE_NONE,       /* an access */
    SYNC_MESSAGE_INVALIDATE, /* to an L1: the block has been written */
    SYNC_MESSAGE_PROBE,      /* to an L1, behind the invalidations before a release */
    SYNC_MESSAGE_APPLIED,    /* the L1's answer: it has applied them */
    SYNC_MESSAGE_MARKER      /* a release, and its acknowledgement; vinst: the L1's number for it */
};
