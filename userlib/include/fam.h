! SPDX-License-Identifier: MIT
! // clang-format off
! Active Messages for Fortran: include 'fam.h' after implicit statements. am.h has the contract of each call;
! here all are INTEGER functions, which answer AM_OK or an AM_ERR number.
!
! Bundles, endpoints and tokens, tags, offsets, addresses and lengths of segments are INTEGER*8; an endpoint's
! name is INTEGER name(3). A constant that is passed for an INTEGER*8 has its kind: 7_8.
! A handler is an EXTERNAL subroutine, whose arguments are a message's token and its words, and between them,
! of a medium or long message, the bytes and how many they are:
!       subroutine ask(token, word)
!       subroutine store(token, buffer, bytes, word)
! Handler 0, to which messages come back, has word as INTEGER word(8):
!       subroutine back(status, kind, entry, handler, words, word, bytes)
      integer AM_OK, AM_ERR_NOT_INIT, AM_ERR_BAD_ARG, AM_ERR_RESOURCE
      integer AM_ERR_NOT_SENT, AM_ERR_IN_USE, EBADARGS, EBADENTRY
      integer EBADTAG, EBADHANDLER, EBADSEGOFF, EBADLENGTH
      integer EBADENDPOINT, ECONGESTION, EUNREACHABLE, EREPLYREJECTED
      integer AM_REQUEST_M, AM_REQUEST_IM, AM_REQUEST_XFER_M
      integer AM_REPLY_M, AM_REPLY_IM, AM_REPLY_XFER_M, AM_NOEVENTS
      integer AM_NOTEMPTY, AM_SEQ, AM_PAR, AM_MAXSHORT, AM_MAXMEDIUM
      integer AM_MAXLONG, AM_MAXNUMHANDLERS
      parameter (AM_OK = 0, AM_ERR_NOT_INIT = 1, AM_ERR_BAD_ARG = 2)
      parameter (AM_ERR_RESOURCE = 3, AM_ERR_NOT_SENT = 4)
      parameter (AM_ERR_IN_USE = 5, EBADARGS = 1, EBADENTRY = 2)
      parameter (EBADTAG = 3, EBADHANDLER = 4, EBADSEGOFF = 5)
      parameter (EBADLENGTH = 6, EBADENDPOINT = 7, ECONGESTION = 8)
      parameter (EUNREACHABLE = 9, EREPLYREJECTED = 10)
      parameter (AM_REQUEST_M = 1, AM_REQUEST_IM = 2)
      parameter (AM_REQUEST_XFER_M = 3, AM_REPLY_M = 4)
      parameter (AM_REPLY_IM = 5, AM_REPLY_XFER_M = 6)
      parameter (AM_NOEVENTS = 0, AM_NOTEMPTY = 1, AM_SEQ = 0)
      parameter (AM_PAR = 1, AM_MAXSHORT = 8, AM_MAXMEDIUM = 8192)
      parameter (AM_MAXLONG = 8192, AM_MAXNUMHANDLERS = 256)
      integer*8 AM_NONE, AM_ALL
      parameter (AM_NONE = 0, AM_ALL = 1)
      integer am_init, am_terminate, am_allocatebundle, am_freebundle
      integer am_allocateendpoint, am_freeendpoint, am_moveendpoint
      integer am_settag, am_gettag, am_setseg, am_getseg
      integer am_maxseglength, am_map, am_mapany, am_unmap
      integer am_gettranslationinuse, am_gettranslationname
      integer am_gettranslationtag, am_getnumtranslations
      integer am_setnumtranslations, am_maxnumtranslations
      integer am_setexpectedresources, am_sethandler, am_sethandlerany
      integer am_getnumhandlers, am_setnumhandlers
      integer am_getsourceendpoint, am_getdestendpoint, am_getmsgtag
      integer am_poll, am_geteventmask, am_seteventmask, am_waitsema
      integer am_request0, am_request1, am_request2, am_request3
      integer am_request4, am_request5, am_request6, am_request7
      integer am_request8, am_requesti0, am_requesti1, am_requesti2
      integer am_requesti3, am_requesti4, am_requesti5, am_requesti6
      integer am_requesti7, am_requesti8, am_requestxfer0
      integer am_requestxfer1, am_requestxfer2, am_requestxfer3
      integer am_requestxfer4, am_requestxfer5, am_requestxfer6
      integer am_requestxfer7, am_requestxfer8, am_reply0, am_reply1
      integer am_reply2, am_reply3, am_reply4, am_reply5, am_reply6
      integer am_reply7, am_reply8, am_replyi0, am_replyi1, am_replyi2
      integer am_replyi3, am_replyi4, am_replyi5, am_replyi6
      integer am_replyi7, am_replyi8, am_replyxfer0, am_replyxfer1
      integer am_replyxfer2, am_replyxfer3, am_replyxfer4
      integer am_replyxfer5, am_replyxfer6, am_replyxfer7
      integer am_replyxfer8
      external am_init, am_terminate, am_allocatebundle, am_freebundle
      external am_allocateendpoint, am_freeendpoint, am_moveendpoint
      external am_settag, am_gettag, am_setseg, am_getseg
      external am_maxseglength, am_map, am_mapany, am_unmap
      external am_gettranslationinuse, am_gettranslationname
      external am_gettranslationtag, am_getnumtranslations
      external am_setnumtranslations, am_maxnumtranslations
      external am_setexpectedresources, am_sethandler
      external am_sethandlerany, am_getnumhandlers, am_setnumhandlers
      external am_getsourceendpoint, am_getdestendpoint, am_getmsgtag
      external am_poll, am_geteventmask, am_seteventmask, am_waitsema
      external am_request0, am_request1, am_request2, am_request3
      external am_request4, am_request5, am_request6, am_request7
      external am_request8, am_requesti0, am_requesti1, am_requesti2
      external am_requesti3, am_requesti4, am_requesti5, am_requesti6
      external am_requesti7, am_requesti8, am_requestxfer0
      external am_requestxfer1, am_requestxfer2, am_requestxfer3
      external am_requestxfer4, am_requestxfer5, am_requestxfer6
      external am_requestxfer7, am_requestxfer8, am_reply0, am_reply1
      external am_reply2, am_reply3, am_reply4, am_reply5, am_reply6
      external am_reply7, am_reply8, am_replyi0, am_replyi1
      external am_replyi2, am_replyi3, am_replyi4, am_replyi5
      external am_replyi6, am_replyi7, am_replyi8, am_replyxfer0
      external am_replyxfer1, am_replyxfer2, am_replyxfer3
      external am_replyxfer4, am_replyxfer5, am_replyxfer6
      external am_replyxfer7, am_replyxfer8
